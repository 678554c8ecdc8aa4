"""One module per cause: its name is the code, its docstring the page, `examine` says whether a subject has that cause.

A rule is found by its file; nothing is registered. It names what it examines by the type of its first parameter and
returns a finding, None where it does not apply, or `NotChecked` where a fact that it needs is unknown. A rule whose
cause no world shows has its page only.
"""
