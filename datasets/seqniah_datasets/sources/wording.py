"""What the makers of sentences share."""

from __future__ import annotations

from datetime import date

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def capital(text: str) -> str:
    """The text with a capital first letter; nothing else is changed."""
    return text[:1].upper() + text[1:]


def dated(pattern: str, day: date, **slots: str) -> str:
    """A pattern with a date in its slots, beside others.

    {day} is the ISO form and has {day.year}, {day.month} and {day.day}; {month} and {weekday} are
    English names, {ordinal} is "3rd".
    """
    last = day.day if day.day in (11, 12, 13) else day.day % 10
    return pattern.format(
        day=day,
        month=MONTHS[day.month - 1],
        weekday=_WEEKDAYS[day.weekday()],
        ordinal=str(day.day) + {1: "st", 2: "nd", 3: "rd"}.get(last, "th"),
        **slots,
    )
