"""One module per cause: what a pasted text says for it. The module's name is the code; nothing is registered.

They stand apart from the rules, which bring the simulation along: a text is explained without it, in a fraction of
the time.
"""
