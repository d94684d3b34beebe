import { describe, expect, test } from 'bun:test'
import { findHostility, isDotGitmodules } from './hostile-names.ts'

describe('names that only look like .git are accepted', () => {
  const rows = [
    '.gitignore',
    '.gitattributes',
    '.github',
    'git',
    'git~',
    'git~2',
    'git~10',
    'a.git',
    '.git-x',
    '.git x',
    'x.git',
    '...',
    '..a',
    'a..',
    'a\\b',
    'con',
    'é',
    '\u200c',
    '.g\u0131t',
  ]
  for (const name of rows) test(JSON.stringify(name), () => expect(findHostility(name)).toBeUndefined())
})

describe('spellings of .gitmodules are found', () => {
  const spellings = [
    '.gitmodules',
    '.GITMODULES',
    '.gitmodules ',
    '.gitmodules.',
    '.gitmodules . .',
    '.gitmodules::$DATA',
    '.gitmod\u200cules',
    'gitmod~1',
    'GITMOD~4',
    'gitmod~1 .',
    'GI7EBA~1',
    'gi7eba~9',
    'GI7EB~10',
    'GI7E~123',
    'gi~10000',
    'G~100000',
    '~1000000',
    'a\\.gitmodules',
  ]
  for (const name of spellings) test(JSON.stringify(name), () => expect(isDotGitmodules(name)).toBe(true))
  const others = ['.gitmodule', 'gitmodules', '.gitmodulesx', 'gitmod~5', 'gitmod~0', 'gi7eba~0', 'gi7eba~', 'gi7eb~01', '~9', 'gi7e~1234']
  for (const name of others) test(`not ${JSON.stringify(name)}`, () => expect(isDotGitmodules(name)).toBe(false))
})
