import type { HostilePack } from './hostile-pack.ts'
import { blob, built, missing, text } from './hostile-pack.ts'
import { idOf, makeDelta, makeTree } from './pack-builder.ts'

const treeFaults: [name: string, entries: [string, string | Uint8Array, string][], expected: RegExp][] = [
  [
    'an entry twice',
    [
      ['100644', 'x', blob],
      ['100644', 'x', blob],
    ],
    /has the entry "x" twice/,
  ],
  [
    'a file and a directory of one name',
    [
      ['100644', 'x', blob],
      ['40000', 'x', blob],
    ],
    /has the entry "x" twice/,
  ],
  [
    'a file and, later, a directory of one name',
    [
      ['100644', 'x', blob],
      ['100644', 'x-y', blob],
      ['100644', 'x.c', blob],
      ['40000', 'x', blob],
    ],
    /has the entry "x" twice/,
  ],
  [
    'entries out of order',
    [
      ['100644', 'b', blob],
      ['100644', 'a', blob],
    ],
    /not in order: "a" comes after "b"/,
  ],
  [
    'a directory sorted like a file',
    [
      ['40000', 'a', blob],
      ['100644', 'a.b', blob],
    ],
    /not in order/,
  ],
  ['an empty name', [['100644', '', blob]], /an empty name/],
  ['mode 0', [['0', 'x', blob]], /has the invalid mode 0/],
  ['the mode of a device', [['20000', 'x', blob]], /has the invalid mode 20000/],
  ['a mode with a 9', [['100694', 'x', blob]], /malformed mode/],
  ['a mode too long', [['0000000100644', 'x', blob]], /malformed mode/],
  ['no mode', [['', 'x', blob]], /has the invalid mode 0/],
  ['the null object', [['100644', 'x', '0'.repeat(40)]], /has the null object ID/],
  ['.gitmodules as a symbolic link', [['120000', '.gitmodules', blob]], /is a symbolic link/],
  ['.gitmodules in another spelling as a symbolic link', [['120000', 'GITMOD~1', blob]], /is a symbolic link/],
  ['.gitmodules as a directory', [['40000', '.gitmodules', blob]], /is not a file/],
  ['.gitattributes as a submodule', [['160000', 'GITATT~1', blob]], /is not a file/],
  ['a terminal escape in a name', [['100644', '\u001b[31m/', blob]], /\\u\{1b\}\[31m/],
]

const hostileNames = [
  '.',
  '..',
  '.git',
  '.GIT',
  '.Git',
  '.gIT',
  '.git ',
  '.git.',
  '.git . .',
  '.git::$INDEX_ALLOCATION',
  '.git:x',
  'git~1',
  'GIT~1',
  'git~1.',
  'git~1:x',
  '.g\u200cit',
  '\ufeff.git',
  '.git\u200f',
  '.\u206agit',
  'a/b',
  '/',
  'a/',
  '.git/hooks',
  '.git\\hooks',
  'a\\.git',
  'a\\.GIT\\config',
  '\\git~1',
  '..\\x',
  'a\\..\\b',
  '.git \\x',
]

export function hostileTrees(): HostilePack[] {
  const alone = hostileNames.map(
    (name): HostilePack => treePack(`a tree with ${JSON.stringify(name)}`, makeTree([['100644', name, blob]]), /the tree has an entry with the name/),
  )
  const faulty = treeFaults.map(([name, entries, expected]) => treePack(`a tree with ${name}`, makeTree(entries), expected))
  const good = makeTree([['100644', 'x', blob]])
  return [
    ...alone,
    ...faulty,
    treePack('a tree cut off in an id', good.subarray(0, -1), /is truncated/),
    treePack('a tree cut off in a name', good.subarray(0, 8), /is truncated/),
    treePack('a tree cut off in a mode', good.subarray(0, 3), /malformed mode/),
  ]
}

function treePack(name: string, tree: Uint8Array, expected: RegExp): HostilePack {
  return built(name, new RegExp(`tree ${idOf('tree', tree)}: .*${expected.source}`), (builder) => {
    builder.add('blob', text)
    builder.add('tree', tree)
  })
}

/** The same faults where a delta brings them into a tree that is good. */
export function changedTrees(): HostilePack[] {
  const names = Array.from({ length: 40 }, (_, i) => `file${String(i).padStart(2, '0')}.c`)
  const entries = names.map((name): [string, string, string] => ['100644', name, blob])
  const spliced = (name: string, at: number, removed: number, added: [string, string | Uint8Array, string][], expected: RegExp): HostilePack =>
    changedTree(
      `a delta that puts ${name} into a tree`,
      entries,
      [...entries.slice(0, at), ...added, ...entries.slice(at + removed)],
      at,
      entries.length - at - removed,
      expected,
    )
  return [
    spliced('a hostile name', 0, 0, [['100644', '.git', blob]], /"\.git"/),
    spliced('an entry twice', 20, 0, [['100644', 'file20.c', blob]], /"file20.c" twice/),
    spliced('disorder', 20, 0, [['100644', 'zzz', blob]], /not in order/),
    spliced('a missing object', 20, 1, [['100644', 'file20.c', missing]], new RegExp(`names the blob ${missing}, which is neither`)),
    spliced('a missing directory', 0, 0, [['40000', 'directory', missing]], new RegExp(`names the tree ${missing}, which is neither`)),
    spliced('a blob as a directory', 40, 0, [['40000', 'zzz', blob]], /names the tree and blob .* is a blob/),
    spliced('a directory with a file’s name', 21, 0, [['40000', 'file20.c', blob]], /"file20.c" twice/),
    spliced('a file of a directory’s name, before its neighbours', 20, 1, [['100644', 'x', blob]], /not in order/),
    changedTree(
      'a delta that puts a directory far behind a file of its name',
      [...entries, ['100644', 'x', blob], ['100644', 'x-1', blob], ['100644', 'x-2', blob], ['100644', 'x.c', blob]],
      [...entries, ['100644', 'x', blob], ['100644', 'x-1', blob], ['100644', 'x-2', blob], ['100644', 'x.c', blob], ['40000', 'x', blob]],
      44,
      0,
      /"x" twice/,
    ),
  ]
}

/** A tree, and another made from it by a delta that copies `head` entries and, after what is new, the last `tail`. */
function changedTree(
  name: string,
  from: [string, string | Uint8Array, string][],
  to: [string, string | Uint8Array, string][],
  head: number,
  tail: number,
  expected: RegExp,
): HostilePack {
  const base = makeTree(from)
  const result = makeTree(to)
  const headBytes = makeTree(from.slice(0, head)).length
  const tailBytes = tail === 0 ? 0 : makeTree(from.slice(-tail)).length
  const ops = [[0, headBytes] as const, result.subarray(headBytes, result.length - tailBytes), [base.length - tailBytes, tailBytes] as const]
  return built(name, expected, (builder) => {
    builder.add('blob', text)
    builder.ofsDelta(
      builder.add('tree', base),
      makeDelta(
        base.length,
        result.length,
        ops.filter((op) => op instanceof Uint8Array || op[1] > 0),
      ),
    )
  })
}

const hostileModuleFiles: [name: string, content: string][] = [
  ['a name that leads upwards', '[submodule "../../x"]\n\tpath = x\n\turl = https://example.com/x\n'],
  ['a name that leads upwards on Windows', '[submodule "a\\\\..\\\\b"]\n\tpath = x\n'],
  ['an option for a url', '[submodule "x"]\n\turl = -u./payload\n'],
  ['a quoted option for a url', '[submodule "x"]\n\turl = "-u./payload"\n'],
  ['an option for a path', '[submodule "x"]\n\tpath = -x\n'],
  ['a command', '[submodule "x"]\n\tupdate = !rm -rf /\n'],
  ['a url with a line break', '[submodule "x"]\n\turl = git://example.com/%0ahost=evil\n'],
  ['a url that leaves its host', '[submodule "x"]\n\turl = ../../../../../:evil.example/x\n'],
  ['a url without a host', '[submodule "x"]\n\turl = https:///x\n'],
]

export function hostileModules(): HostilePack[] {
  const attributes = `* text ${'x'.repeat(3000)}\n`
  return [
    ...hostileModuleFiles.map(([name, content]) => withFile(`.gitmodules with ${name}`, '.gitmodules', content, /the \.gitmodules file has/)),
    withFile('.gitattributes with a line that overflows', '.gitattributes', attributes, /has a line of 3007 bytes \(gitattributesLineLength\)/),
    withFile('.gitattributes in another spelling with such a line', 'GI7D29~1', attributes, /gitattributesLineLength/),
  ]
}

function withFile(name: string, file: string, content: string, expected: RegExp): HostilePack {
  return built(name, expected, (builder) => {
    builder.add('blob', content)
    builder.add('tree', makeTree([['100644', file, idOf('blob', content)]]))
  })
}
