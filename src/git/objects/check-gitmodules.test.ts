import { describe, expect, test } from 'bun:test'
import { cpuMeter } from '../../../test/cpu-time.ts'
import { initBare, temporaryDirectory } from '../../../test/git-fixture.ts'
import { idOf, makeTree, PackBuilder } from '../../../test/pack-builder.ts'
import { property } from '../../../test/seeds.ts'
import { soak } from '../../../test/soak.ts'
import { checkGitmodules } from './check-gitmodules.ts'

const files: string[] = [
  '',
  '[submodule "x"]\n\tpath = x\n\turl = https://example.com/x.git\n',
  '[submodule "a/b.c"]\n\tpath = a\n\turl = ../x.git\n',
  '[submodule "x"]\n\turl = ../../x.git\n',
  '[submodule "x"]\n\turl = ./-x\n',
  '[submodule "x"]\n\turl = git@example.com:x/y.git\n',
  '[submodule "x"]\n\turl = ssh://example.com/x\n',
  '[submodule "x"]\n\tupdate = rebase\n\tpath = "a b" # comment\n',
  '[submodule "a..b"]\n\tpath = x\n',
  '[submodule "..."]\n\tpath = x\n',
  '[other "../x"]\n\turl = -x\n',
  'this is no configuration\n[submodule "x"]\n\turl = https://example.com/\n',
  '[submodule ".."]\n\tpath = x\n',
  '[submodule "../x"]\n\tpath = x\n',
  '[submodule "x/.."]\n\tpath = x\n',
  '[submodule "a/../b"]\n\tpath = x\n',
  '[submodule "a\\\\..\\\\b"]\n\tpath = x\n',
  '[SubModule "../x"]\n\tPath = x\n',
  '[submodule "../x"] path = x\n',
  '[submodule "x"]\n\turl = -x\n',
  '[submodule "x"]\n\tURL = "-x"\n',
  '[submodule "x"]\n\turl = \\\n-x\n',
  '[submodule "x"]\n\tpath = -x\n',
  '[submodule "x"]\n\tupdate = !command\n',
  '[submodule "x"]\n\turl = git://example.com/%0Ahost=x\n',
  '[submodule "x"]\n\turl = https://example.com/%0Ahost=x\n',
  '[submodule "x"]\n\turl = ../%0Ax\n',
  '[submodule "x"]\n\turl = ../:example.com/x\n',
  '[submodule "x"]\n\turl = .././../:example.com/x\n',
  '[submodule "x"]\n\turl = ..//example.com/x\n',
  '[submodule "x"]\n\turl = http:///example.com/x\n',
  '[submodule "x"]\n\turl = http::https:///x\n',
  '[submodule "x"]\n\turl = https://user@/x\n',
  '[submodule "x"]\n\turl = https://user:password@example.com/x\n',
  '[submodule "x"]\n\turl = https::example.com/x\n',
  '[submodule "x"]\n\turl = HTTPS:///x\n',
  '[submodule "x"]\n\turl = https:example.com/x\n',
  '[submodule "x"]\r\n\tpath = -x\r\n',
  '[submodule "x"]\r\n\turl = "-x" # y\r\n',
  '[submodule "x"]\n\turl = \\\r\n-x\n',
  '[submodule "x"]\n\turl = a\rb\n',
  '[submodule "x"]\n\turl = ./\\n\n',
  '[submodule "x"]\n\turl = "../x\\n" \n',
  '[submodule "x"]\n\turl = \\x\n\tpath = -x\n',
  '[submodule "x"]\n\turl = "a\n\tpath = -x\n',
  '[submodule "x"]\n\turl = a # \\\n\tpath = -x\n',
  '[submodule.x "y"]\n\tpath = -x\n',
  '[submodule.x]\n\tpath = -x\n',
  '[submodule "x" ]\n\tpath = -x\n',
  '[submodule\n"x"]\n\tpath = -x\n',
  '[submodule]\n\tpath = -x\n',
  '[submodule "x"]\v\tpath = -x\n',
  '[submodule "x"]path=-x',
  '[submodule ""]\n\tpath = x\n',
  '[submodule "x"]\n\tpath\n',
  '[submodule "\\.."]\n\tpath = x\n',
]

describe('git and the checker agree on .gitmodules with', () => {
  using directory = temporaryDirectory()
  initBare(directory.path)
  for (const content of files) {
    const isAccepted = isAcceptedByGit(directory.path, content)
    test(JSON.stringify(content), () => {
      const check = (): void => checkGitmodules(Buffer.from(content))
      if (isAccepted) expect(check).not.toThrow()
      else expect(check).toThrow(/^Cannot accept object: the \.gitmodules file has/)
    })
  }
})

function isAcceptedByGit(directory: string, content: string): boolean {
  const builder = new PackBuilder()
  builder.add('blob', content)
  builder.add('tree', makeTree([['100644', '.gitmodules', idOf('blob', content)]]))
  return Bun.spawnSync(['git', 'index-pack', '--strict', '--stdin'], { cwd: directory, stdin: builder.build() }).exitCode === 0
}

const pieces =
  '[|]|submodule| |\t|"|x|..|/|\\|\n|\r\n|\r|=|-x|!x|path|url|update|#|;|.|[submodule "x"]|\n\tpath = |\n\turl = |[submodule "|"]\n|./|%0a|http://|:|\\n'.split(
    '|',
  )

property('git and the checker agree on .gitmodules of whatever pieces', 4, (random) => {
  using directory = temporaryDirectory()
  initBare(directory.path)
  for (let round = 0; round < soak(6, 15); round++) {
    const content = `[submodule "x"]${Array.from({ length: 1 + random.below(9) }, () => random.pick(pieces)).join('')}`
    const fault = faultOf(content)
    expect([content, isAcceptedByGit(directory.path, content) ? undefined : 'refused']).toEqual([content, fault])
  }
})

function faultOf(content: string): string | undefined {
  try {
    checkGitmodules(Buffer.from(content))
    return undefined
  } catch (error) {
    return (error as { kind?: string }).kind
  }
}

test('a byte order mark hides nothing', () => {
  expect(faultOf('\ufeff[submodule "x"]\n\tpath = -x\n')).toBe('refused')
})

test('a file that is too large to be checked is refused', () => {
  expect(() => checkGitmodules(Buffer.alloc(5_000_000))).toThrow(/too large to be checked/)
})

test('very many settings of a submodule with a very long name cost what their bytes do', () => {
  const spent = cpuMeter()
  expect(faultOf(`[submodule "${'a/'.repeat(50_000)}"]\n${'b\n'.repeat(100_000)}`)).toBeUndefined()
  expect(spent()).toBeLessThan(2000)
})
