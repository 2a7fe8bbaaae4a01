"""Rows are shared out among threads, and nobody waits for one that gets no turn."""

import threading
from time import sleep
from types import SimpleNamespace

import pytest

from sim.core import sharing
from sim.core.sharing import Job, _Pay, aside, share, threads, use_threads

several = pytest.mark.skipif(threads() < 2, reason="a machine of one core shares nothing out")


@pytest.mark.usefixtures("shared_out")
def test_every_row_is_done_once():
    """Chunks cover all rows, none twice, however many threads take them."""
    for _ in range(50):
        found = share(lambda begin, end: list(range(begin, end)), 1000)
        assert sorted(row for rows in found for row in rows) == list(range(1000))
        assert len(found) > 10 or threads() == 1


@pytest.mark.usefixtures("shared_out")
def test_the_thread_that_needs_it_does_it():
    """A job that no other thread has begun is not waited for."""
    free = threading.Event()
    blocked = [aside(free.wait) for _ in range(threads() - 1)]
    try:
        names = share(lambda _begin, _end: threading.current_thread().name, 1000)
        assert set(names) == {threading.main_thread().name}
        assert aside(threading.current_thread).result() == [threading.main_thread()]
    finally:
        free.set()
    assert [job.result() for job in blocked] == [[True]] * len(blocked)


@several
@pytest.mark.usefixtures("shared_out")
def test_what_is_in_hand_is_waited_for():
    """The result is whole: a chunk that another thread has begun is in it."""
    begun, free = threading.Event(), threading.Event()

    def work():
        begun.set()
        return free.wait()

    job = aside(work)
    begun.wait()
    threading.Timer(0.05, free.set).start()
    assert job.result() == [True]


@several
@pytest.mark.usefixtures("shared_out")
def test_what_is_waited_for_is_joined():
    """Chunks that another thread shares out in its turn are taken by the thread that waits."""
    begun, names = threading.Event(), set()

    def rows(begin, end):
        names.add(threading.current_thread().name)
        sleep(0.005)
        return begin, end

    def work():
        begun.set()
        return share(rows, 1000)

    job = aside(work)
    begun.wait()
    (found,) = job.result()
    assert len(names) == 2
    assert sum(end - begin for begin, end in found) == 1000


@pytest.mark.usefixtures("shared_out")
def test_errors_are_raised():
    """What goes wrong in any chunk is raised where the result is asked for, and each time."""

    def fail(_begin, end):
        if end > 500:
            raise RuntimeError("row")

    with pytest.raises(RuntimeError, match="row"):
        share(fail, 1000)
    job = Job(fail, [(600, 700)], ())
    for _ in range(2):
        with pytest.raises(RuntimeError, match="row"):
            job.result()


@several
def test_one_chunk_is_not_shared(monkeypatch):
    """No thread is woken for rows that make one chunk, as the thread that needs it would wait."""
    monkeypatch.setattr(sharing._Pay, "ask", lambda _pay: True)
    monkeypatch.setattr(sharing, "_call", pytest.fail)
    assert share(lambda begin, end: (begin, end), sharing.FINEST) == [(0, sharing.FINEST)]


@several
def test_waking_threads_is_a_cost(monkeypatch):
    """Time that the caller loses by waking others counts against asking them again."""
    booked = []
    monkeypatch.setattr(sharing._Pay, "ask", lambda _pay: True)
    monkeypatch.setattr(sharing._Pay, "book", lambda _pay, saved: booked.append(saved))
    waiting = SimpleNamespace(put=lambda _job: sleep(0.05))
    monkeypatch.setattr(sharing, "_crew", lambda _process: (waiting, []))
    share(lambda _begin, _end: None, 1000)
    assert booked[0] <= -0.05 * (threads() - 1)


def test_what_is_done_alone_tells_nothing(monkeypatch):
    """A job that nobody was asked to help with does not count against asking: it cost no wait."""
    booked = []
    monkeypatch.setattr(sharing._Pay, "ask", lambda _pay: False)
    monkeypatch.setattr(sharing._Pay, "book", lambda _pay, saved: booked.append(saved))
    assert aside(threads).result() == [threads()]
    assert not booked


@pytest.mark.usefixtures("shared_out")
def test_a_thread_alone_asks_nobody(monkeypatch):
    """One thread is one thread; and with two, a helper has no thread left to ask."""
    monkeypatch.setattr(sharing, "_call", pytest.fail)
    before = threads()
    use_threads(1)
    try:
        assert share(lambda begin, end: (begin, end), 1000) == [(0, 1000)]
        assert aside(threads).result() == [1]
        monkeypatch.setattr(sharing._here, "job", Job(len, [], ()), raising=False)
        monkeypatch.setattr(sharing, "_count", 2)
        assert sorted(share(lambda begin, end: (begin, end), 1000))[0][0] == 0
    finally:
        use_threads(before)


def test_help_that_does_not_pay_is_not_asked_for():
    """After waits that cost more than was saved all is done alone, longer and longer."""
    pay = _Pay()
    assert pay.ask()
    pay.book(0.001)
    pay.book(-0.0005)
    assert pay.ask()  # has paid in all
    for pause in (16, 32, 64):
        pay.book(-0.01)
        assert [pay.ask() for _ in range(pause)] == [False] * (pause - 1) + [True]
    pay.book(0.001)
    pay.book(-0.01)
    assert [pay.ask() for _ in range(16)].index(True) == 15
