"""`whyload doctor`"""

from __future__ import annotations

from whyload.api.worlds import choice_of
from whyload.cli.arguments import Arguments
from whyload.cli.output import json_text, wants_colour, write
from whyload.cli.progress import Progress


def run(arguments: Arguments) -> int:
    """Examine the environment and write the report; as Markdown without names of people and machines."""
    from whyload.api.doctor import ask_doctor

    with Progress(arguments.lang) as progress:
        report, redaction = ask_doctor(choice_of(vars(arguments)), progress.tell, contents=arguments.hashes)
    if arguments.format == "json":
        text = json_text(report, arguments.lang)
    elif arguments.format == "html":
        from whyload.report.html import report_html

        text = report_html(report, arguments.lang)
    else:
        from whyload.report.doctor import doctor_markdown, doctor_text
        from whyload.report.layout import Look

        look = Look(language=arguments.lang, colour=wants_colour(arguments), verbose=arguments.verbose)
        as_text = arguments.format == "text"
        text = doctor_text(report, look) if as_text else redaction.text(doctor_markdown(report, arguments.lang))
    write(text, arguments)
    return report.exit_code
