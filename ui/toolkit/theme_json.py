"""The theme dictionary that pygame_gui reads: what every widget, and every part of one, looks like.

pygame_gui finds a block by the path of a widget (`window.#title_bar`), then by ever shorter ends of it;
an object id counts before a class id before an element id. Nothing is inherited by the parts of a widget,
which is why they are all listed here. Every number has to be a string.
"""

from __future__ import annotations

from ui.toolkit.styles import BODY, CLEAR, HEADING, SMALL, TITLE, Block, Looks

LEFT: Block = {"text_horiz_alignment": "left", "text_horiz_alignment_padding": "0"}

SCROLLED = (
    *("selection_list", "drop_down_menu", "drop_down_menu.selection_list", "text_box", "text_entry_box"),
    "file_dialog.#file_display_list",
)
"""What pygame_gui's own theme gives scroll bars of their own look."""


def theme_of(looks: Looks) -> Block:
    """The whole theme; parts that are more special come later only for the reader."""
    parts = (_defaults, _buttons, _labels, _lists, _sliders, _scroll_bars, _entries, _boxes, _windows, _file_dialog)
    theme: Block = {}
    for part in parts:
        theme |= part(looks)
    return theme


def _defaults(looks: Looks) -> Block:
    colours = {
        **looks.plain(),
        "dark_bg": looks.panel,
        "disabled_dark_bg": looks.panel,
        "link_text": looks.info,
        "link_hover": looks.accent,
        "link_selected": looks.accent,
        "text_shadow": CLEAR,
        "filled_bar": looks.accent,
        "unfilled_bar": looks.groove,
        "text_cursor": looks.accent,
    }
    return {"defaults": {"colours": colours}}


def _buttons(looks: Looks) -> Block:
    def button(colours: Block, bold: bool = False, padding: int = 14) -> Block:
        misc = looks.shape(text_horiz_alignment_padding=looks.px(padding))
        return {"font": looks.font(bold=bold), "colours": colours, "misc": misc}

    menu = button(looks.plain())
    menu["misc"] |= looks.side(12)
    return {
        "button": button(looks.plain()),
        "@menu": menu,
        "@primary": button(looks.primary(), bold=True),
        "@quiet": button(looks.quiet_states()),
        "@icon": button(looks.quiet_states(), padding=0),
        "@danger": button(looks.danger()),
        "@choice": button(looks.plain(), padding=8),
        "@tile": button(looks.plain()),
        "@row": {"font": looks.font(SMALL), "colours": looks.row(), "misc": looks.shape(6, 0, **looks.side(8))},
    }


def _labels(looks: Looks) -> Block:
    def label(size: int, bold: bool, colour: str, align: Block = LEFT) -> Block:
        colours = {"dark_bg": CLEAR, "normal_text": colour, "disabled_text": looks.faint_text}
        return {"font": looks.font(size, bold), "colours": colours, "misc": {"text_shadow_size": "0", **align}}

    return {
        "label": label(BODY, False, looks.text),
        "@strong": label(BODY, True, looks.text),
        "@heading": label(HEADING, True, looks.text),
        "@title": label(TITLE, True, looks.text),
        "@small": label(SMALL, False, looks.quiet),
        "@error": label(SMALL, False, looks.bad_text),
        "@centred": label(BODY, False, looks.text, {"text_horiz_alignment": "center"}),
    }


def _lists(looks: Looks) -> Block:
    row = {"font": looks.font(), "colours": looks.row(), "misc": looks.shape(6, 0, **looks.side())}
    box = looks.surface(looks.panel, looks.line)
    misc = looks.shape(list_item_height=looks.px(32))
    part = {"font": looks.font(), "colours": looks.inner(), "misc": looks.shape(7, 0, **looks.side(12))}
    return {
        "selection_list": {"colours": box, "misc": misc},
        "selection_list.button": row,
        "selection_list.@selection_list_item": row,
        "drop_down_menu": {
            "colours": looks.surface(looks.raised, looks.line),
            "misc": looks.shape(expand_direction="down", open_button_width="0"),
        },
        "drop_down_menu.button": part,
        "drop_down_menu.@selected_option": part,
        "drop_down_menu.selection_list": {"colours": looks.surface(looks.raised, looks.line_over), "misc": misc},
        "drop_down_menu.selection_list.button": row,
        "drop_down_menu.selection_list.@selection_list_item": row,
    }


def _sliders(looks: Looks) -> Block:
    knob = {"colours": looks.handle(looks.accent, looks.accent_over), "misc": looks.shape(12, 0)}
    track = looks.shape(12, 0, enable_arrow_buttons="0", sliding_button_width=looks.px(24))
    bar = {"filled_bar": looks.accent, "unfilled_bar": looks.groove, "normal_border": CLEAR}
    bar |= {"normal_text": looks.text, "text_shadow": looks.groove}
    progress = {"font": looks.font(SMALL), "colours": bar, "misc": looks.shape(4, 0)}
    return {
        "horizontal_slider": {"colours": looks.surface(looks.groove, CLEAR), "misc": track},
        "horizontal_slider.button": knob,
        "horizontal_slider.#sliding_button": knob,
        "progress_bar": progress,
        "status_bar": progress,
    }


def _scroll_bars(looks: Looks) -> Block:
    # A scroll bar is 20 real pixels wide at every scale; a clear border makes its handle look slim.
    handle = {"colours": looks.handle(looks.bar, looks.quiet), "misc": looks.shape(0, 0)}
    handle["misc"] |= {"shape": "rounded_rectangle", "shape_corner_radius": "10", "border_width": "6"}
    track = {"colours": looks.surface(CLEAR, CLEAR), "misc": looks.shape(0, 0, enable_arrow_buttons="0")}
    theme: Block = {}
    for bar in ("vertical_scroll_bar", "horizontal_scroll_bar"):
        theme |= {bar: track, f"{bar}.button": handle, f"{bar}.#sliding_button": handle}
    for owner in SCROLLED:
        theme |= {f"{owner}.vertical_scroll_bar": track, f"{owner}.vertical_scroll_bar.button": handle}
    return theme


def _entries(looks: Looks) -> Block:
    colours = {
        **looks.surface(looks.background, looks.line),
        "normal_text": looks.text,
        "selected_text": looks.text,
        "disabled_text": looks.faint_text,
        "selected_bg": looks.marked,
        "text_cursor": looks.accent,
    }
    line = looks.shape(padding=f"{looks.px(8)},{looks.px(4)}", text_horiz_alignment_padding=looks.px(8))
    check = {
        "font": looks.font(bold=True),
        "colours": looks.check(),
        "misc": {**looks.shape(4), "text_offset": looks.px(10)},
    }
    return {
        "text_entry_line": {"font": looks.font(), "colours": colours, "misc": line},
        "text_entry_box": {"font": looks.font(), "colours": colours, "misc": line},
        "check_box": check,
        "check_box.label": {
            "font": looks.font(),
            "colours": {"dark_bg": CLEAR, "normal_text": looks.text},
            "misc": LEFT,
        },
    }


def _boxes(looks: Looks) -> Block:
    words = {"normal_text": looks.text, "selected_bg": looks.marked, "selected_text": looks.text}
    prose = looks.shape(0, 0, padding="0,0", line_spacing="1.2")
    tip = looks.shape(6, padding=f"{looks.px(10)},{looks.px(6)}")
    clear = looks.surface(CLEAR, CLEAR)
    return {
        "panel": {"colours": looks.surface(looks.panel, looks.line), "misc": looks.shape()},
        "@clear": {"colours": clear, "misc": looks.shape(0, 0)},
        "@card": {"colours": looks.surface(looks.raised, looks.line), "misc": looks.shape()},
        "scrolling_container": {"colours": clear, "misc": looks.shape(0, 0)},
        "text_box": {"font": looks.font(), "colours": {**clear, **words}, "misc": prose},
        "tool_tip": {"misc": {"rect_width": "-1"}},
        "tool_tip.text_box": {
            "font": looks.font(SMALL),
            "colours": {**looks.surface(looks.text, looks.text), "normal_text": looks.background},
            "misc": tip,
        },
    }


def _windows(looks: Looks) -> Block:
    theme: Block = {}
    words = {
        "font": looks.font(),
        "colours": {**looks.surface(CLEAR, CLEAR), "normal_text": looks.text},
        "misc": looks.shape(0, 0, padding="0,0", line_spacing="1.2"),
    }
    box = looks.shape(10, shadow_width=looks.px(12), title_bar_height=looks.px(48))
    title = {
        "font": looks.font(HEADING, bold=True),
        "colours": looks.still(),
        "misc": looks.shape(0, 0, **looks.side(20)),
    }
    close = {
        "font": looks.font(SMALL),
        "colours": looks.quiet_states(),
        "misc": looks.shape(8, 0, text_horiz_alignment_padding="0"),
    }
    for kind in ("window", "message_window", "confirmation_dialog", "file_dialog"):
        theme |= {
            kind: {"colours": looks.surface(looks.raised, looks.line), "misc": box},
            f"{kind}.#title_bar": title,
            f"{kind}.#close_button": close,
            f"{kind}.text_box": words,
        }
    return theme


def _file_dialog(looks: Looks) -> Block:
    row = {"font": looks.font(), "colours": looks.row(), "misc": looks.shape(6, 0, **looks.side())}
    folder = {**row, "font": looks.font(bold=True)}
    icon = {
        "font": looks.font(),
        "colours": looks.quiet_states(),
        "misc": looks.shape(text_horiz_alignment_padding="0", text_vert_alignment="center"),
    }
    main = {"font": looks.font(bold=True), "colours": looks.primary(), "misc": looks.shape()}
    main["misc"] |= {"text_horiz_alignment_padding": looks.px(16)}
    path = "file_dialog.#file_display_list"
    theme: Block = {
        f"{path}.#file_list_item": row,
        f"{path}.#directory_list_item": folder,
        "file_dialog.#ok_button": main,
        "confirmation_dialog.#confirm_button": main,
        "message_window.#dismiss_button": main,
    }
    for name in ("home", "delete", "parent", "refresh"):
        theme[f"file_dialog.#{name}_icon_button"] = icon
    return theme
