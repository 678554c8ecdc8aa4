"""The reader of start-up source: judged by the library reference and by what the real loader was seen to do."""
