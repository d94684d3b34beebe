import { expect, test } from 'bun:test'
import { inWords } from './in-words.ts'

test.each([
  ['user already exists [name: ada]', 'User already exists: ada'],
  ['repository already exists [uname: ada, name: x]', 'Repository already exists: ada, x'],
  ['user redirect does not exist [name: ada]', 'User does not exist: ada'],
  ['team already exists [org_id: 3, name: core]', 'Team already exists: core'],
  ['pull request already exists for these targets [id: 1, head_branch: a]', 'Pull request already exists for these targets'],
  ['e-mail invalid [email: a@b, c]', 'E-mail invalid: a@b, c'],
  ['[Name]: a name without blanks is expected', 'A name without blanks is expected'],
  ['[Name]: name is reserved [name: new]', 'Name is reserved: new'],
  ['password must be at least 8 characters', 'Password must be at least 8 characters'],
  ['main can be restored no more: its last commit is gone.', 'main can be restored no more: its last commit is gone.'],
  ['name is invalid [a b]: must be 1 to 40', 'Name is invalid [a b]: must be 1 to 40'],
  ['It stays. [so: it is]?', 'It stays. [so: it is]?'],
  ['', ''],
])('%p is read as %p', (message, words) => {
  expect(inWords(message)).toBe(words)
})
