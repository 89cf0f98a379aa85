"""The replay scene as a study: its tabs and its menu."""

from __future__ import annotations

from typing import Any

import pygame
import pytest

from games.formats.text import parse
from games.registry import setup
from tests.ui.scenes import long_game
from tests.ui.stage import Stage, act, part
from ui.replay.screen import PositionLine, Replay, Transport
from ui.replay.tab import Tab, Tabs
from ui.toolkit.dialogs import Menu
from ui.toolkit.i18n import t
from ui.toolkit.keys import key_label
from ui.toolkit.space import Space
from ui.toolkit.typesetting import width_of


def opened(made: Stage, tab: str = "", plies: int = 20) -> Any:
    return made.show(Replay(made.app, long_game(plies=plies), tab=tab))


def test_tabs_are_chosen_by_mouse_and_by_keys(made: Stage) -> None:
    scene = opened(made)
    assert scene.state.tab == "moves"
    there = scene.widgets.elements["tab.analysis"].rect.center
    made.hover(there)
    made.click(there)
    assert scene.state.tab == "analysis"
    seen = []
    for held in (0, 0, 0, 0, pygame.KMOD_LSHIFT, pygame.KMOD_LSHIFT):
        made.press(pygame.K_TAB, pygame.KMOD_LCTRL | held)
        seen.append(scene.state.tab)
    assert seen == ["review", "explorer", "moves", "analysis", "moves", "explorer"]


def test_the_next_replay_begins_with_the_tab_that_was_chosen(made: Stage) -> None:
    opened(made).state.choose_tab("analysis")
    assert opened(made).state.tab == "analysis"
    assert opened(made, tab="moves").state.tab == "moves"
    assert made.app.settings.study_tab == "analysis", "what a scene asks for is no choice"
    made.app.settings.study_tab = "of a later version"
    assert part(opened(made), Tabs).chosen.name == "moves"


class Counting(Tab):
    name = "review"
    started = 0

    def start(self) -> None:
        self.started += 1


def test_a_tab_is_started_once_by_who_opens_the_replay_with_it(made: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    tab = Counting()
    monkeypatch.setattr("ui.replay.screen.MovesTab", lambda *_: tab)
    scene = opened(made, tab="review")
    made.show(scene)
    assert tab.started == 1
    opened(made)
    assert tab.started == 1


def test_a_replay_plays_itself_at_the_speed_that_the_menu_sets(made: Stage) -> None:
    scene = opened(made, plies=3)
    scene.widgets.press("menu")
    assert isinstance(made.app.overlay, Menu)
    made.press(pygame.K_RETURN)
    assert isinstance(made.app.overlay, Menu)
    made.keys(pygame.K_END, pygame.K_RETURN)
    assert (made.app.overlay, part(scene, Transport).speed) == (None, 4.0)
    made.press(pygame.K_SPACE)
    made.until(lambda: scene.state.record.position.ply == 3)
    made.until(lambda: not scene.state.playing)
    made.press(pygame.K_SPACE)
    assert (scene.state.playing, scene.state.record.position.ply < 3) == (True, True), "from the beginning again"
    names = ("first", "previous", "play", "next", "last")
    tips = [scene.widgets.buttons[name].tip.partition(" (")[0] for name in names]
    assert tips == [t(f"replay.{'pause' if name == 'play' else name}") for name in names]


def test_a_forbidden_move_is_told_until_the_position_is_another(made: Stage) -> None:
    record = parse("g8 a1 i8 a3 h9 a5 h7 a7", setup("gomoku", 15, "renju"))
    scene = made.show(Replay(made.app, record, autosave=False))
    record.go_to(record.line()[-1])
    made.frame()
    forbidden, taken = (parse(text).cursor.move for text in ("h8", "a1"))
    for move, said in ((taken, ""), (forbidden, t("illegal.double_three"))):
        scene.state.choose(move)
        made.frame(2)
        assert (made.app.message[0], record.position.ply) == (said, 8)
    act(scene, "left")
    made.frame()
    assert made.app.message[0] == ""


def test_the_analysis_goes_on_while_another_tab_is_chosen(made: Stage) -> None:
    scene = opened(made)
    made.press(pygame.K_a)
    assert (scene.state.tab, scene.state.analyst.on) == ("analysis", True)
    scene.state.choose_tab("moves")
    assert scene.state.analyst.on
    made.press(pygame.K_a)
    assert (scene.state.tab, scene.state.analyst.on) == ("moves", False)


def test_the_menu_tells_the_keys_that_do_the_same(made: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = opened(made)
    scene.widgets.press("menu")
    written: list[str] = []
    monkeypatch.setattr("ui.toolkit.dialogs.write", lambda *arguments, **_: written.append(arguments[2]))
    made.frame()
    told = dict(zip(written[1::2], written[::2], strict=True))  # the text of each row after its key
    texts = (t("keys.promote"), t("play.save_as"), t("editor.from_here"))
    assert [told[text] for text in texts] == ["P", "Ctrl+Shift+S", ""]
    bound = {key_label(key) for binding in scene.all_bindings() for key in binding.keys}
    assert {key for key in told.values() if key} <= bound


def test_the_slider_is_where_the_game_is_and_leads_along_it(made: Stage) -> None:
    scene = opened(made, plies=5)
    transport, record = part(scene, Transport), scene.state.record
    for key, ply in (("right", 1), ("right", 2), ("left", 1), ("home", 0), ("left", 0), ("end", 5), ("right", 5)):
        act(scene, key)
        assert (record.position.ply, transport.slider.value, transport.slider.most) == (ply, ply, 5)
    for notches, ply in ((1, 4), (1, 3), (0, 3), (-1, 4)):  # 0 is a turn to the side
        made.app.dispatch(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=notches))
        made.frame()
        assert (record.position.ply, transport.slider.value) == (ply, ply)
    made.hover(transport.slider.knob.center)
    made.app.dispatch(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=transport.slider.knob.center, button=1))
    record.go_to(record.line()[1])
    made.frame()
    assert (transport.slider.held, transport.slider.value) == (True, 4), "it is held"
    made.hover((transport.slider.rect.left, transport.slider.rect.top))
    assert record.position.ply == 0


def test_the_number_of_the_position_gives_way_to_what_is_said_of_it(
    made: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene, written, said = opened(made, plies=5), list[str](), "White wins in 8 moves"
    line, theme = part(scene, PositionLine), made.app.theme
    scene.state.knowledge.sentence = said
    monkeypatch.setattr("ui.replay.screen.write", lambda _surface, _theme, text, *_, **__: written.append(text))
    long, short = f"{t('replay.position', ply=0, total=5)} · {said}", f"0/5 · {said}"
    for text, less in ((long, 0), (long, 1), (short, 0), (short, 1)):
        line.build(Space(pygame.Rect(0, 0, width_of(theme, text, 16, True) - less, 99), 0))
        line.draw(made.app.surface, 0.0)
    assert written == [long, short, short, said]


def test_a_game_without_moves_has_no_slider(made: Stage) -> None:
    assert part(opened(made, plies=0), Transport).slider is None
    assert part(opened(made, plies=1), Transport).slider.most == 1


@pytest.mark.parametrize(("at", "plies"), [(3, [0, 1, 1, 2]), (2, [2, 3, 3, 3]), (0, [0, 1, 1, 2])])
def test_autoplay_steps_at_its_speed_and_begins_anew_at_the_end(made: Stage, at: int, plies: list[int]) -> None:
    scene = opened(made, plies=3)
    transport, record = part(scene, Transport), scene.state.record
    record.go_to(record.line()[at])
    transport.speed = 4.0
    assert transport.wake(9.0) is None
    scene.key(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_SPACE, mod=0, unicode="", scancode=0))
    seen, wakes = [record.position.ply], [transport.wake(9.0)]
    for now in (10.0, 10.125, 10.25):
        transport.update(now)
        seen.append(record.position.ply)
        wakes.append(transport.wake(now))
    assert seen == plies
    assert wakes == [0.0, 0.25, 0.125, 0.25 if at != 2 else None], "it stops at the end"
    scene.close()
    assert not scene.state.playing
