"""What a story of test/e2e has a Python client do: `<library>` and any number of `clone|shallow|deepen|push <url> <directory>`, or `<library>` alone to see what it can do."""

import inspect
import json
import os
import sys
import traceback


def with_pygit2(verb, url, directory):
    import pygit2

    if verb == "push":
        repo = pygit2.init_repository(directory, initial_head="main")
        with open(os.path.join(directory, "hello"), "w") as file:
            file.write("hello\n")
        repo.index.add("hello")
        who = pygit2.Signature("Ada", "ada@example.org")
        repo.create_commit("refs/heads/main", who, who, "first", repo.index.write_tree(), [])
        remote = repo.remotes.create("origin", url)
        remote.push(["refs/heads/main:refs/heads/main"])
    else:
        repo = pygit2.clone_repository(url, directory, bare=True, **({} if verb == "clone" else {"depth": 1}))
        if verb == "deepen":
            repo.remotes["origin"].fetch(depth=3)


def with_dulwich(verb, url, directory):
    from dulwich import porcelain

    if verb == "push":
        repo = porcelain.init(directory)
        with open(os.path.join(directory, "hello"), "w") as file:
            file.write("hello\n")
        porcelain.add(repo, [os.path.join(directory, "hello")])
        who = b"Ada <ada@example.org>"
        porcelain.commit(repo, message=b"first", author=who, committer=who)
        porcelain.push(repo, url, "HEAD:refs/heads/main")
    else:
        repo = porcelain.clone(url, directory, bare=True, depth=None if verb == "clone" else 1)
        if verb == "deepen":
            porcelain.fetch(repo, url, depth=3)


def abilities(library):
    module = __import__(library)
    yield "clone"
    # libgit2 clones shallow since 1.7, which its Python binding took over in 1.13.
    if library != "pygit2" or "depth" in inspect.signature(module.clone_repository).parameters:
        yield "shallow"


def run(library, verbs):
    """Does one thing after the other, and answers for each what went wrong, or nothing."""
    act = {"pygit2": with_pygit2, "dulwich": with_dulwich}[library]
    failures = {}
    for verb, url, directory in verbs:
        try:
            act(verb, url, directory)
            failures[verb] = ""
        except Exception:
            failures[verb] = traceback.format_exc()
    return failures


if len(sys.argv) == 2:
    print(*abilities(sys.argv[1]))
else:
    rest = sys.argv[2:]
    print(json.dumps(run(sys.argv[1], zip(rest[0::3], rest[1::3], rest[2::3]))))
