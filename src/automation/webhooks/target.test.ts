import { expect, test } from 'bun:test'
import { makeConfig } from '#config.ts'
import { checkBranchFilter } from './branch-filter.ts'
import { expandEvents, foldEvents } from './event-names.ts'
import { parseTarget, targetPolicy } from './target.ts'

const elsewhere = makeConfig('/data', { server: { HTTP_ADDR: '0.0.0.0' } })
/** What people, and what site administrators, may aim hooks at while others reach the server. */
const [people, admins] = [targetPolicy(elsewhere, false), targetPolicy(elsewhere, true)]

test.each([
  'https://ci.example.org',
  'http://ci.example.org:8080/hook?token=1',
  'HTTPS://ci.example.org/',
  'http://10.0.0.1/',
  'http://192.168.1.7:8080/x',
  'http://172.16.0.1/',
  'http://[fd12:3456::1]/',
  'http://8.8.8.8/',
  'http://nas/',
])('%s is taken as it is', (url) => {
  expect(parseTarget(url, people)).toEqual({ url })
})

test.each([
  '',
  'ci.example.org',
  '/hook',
  'file:///etc/passwd',
  'ftp://ci.example.org/',
  'gopher://ci.example.org/',
  'javascript:alert(1)',
  'http:ci.example.org',
  'http:///hook',
  'http://',
  'http://ci.example.org:99999/',
  'http://a b/',
  ' http://ci.example.org/',
  'http://ci.example.org/\r\nHost: x',
  'http://ci.example.org/\0',
  'http:\\\\ci.example.org\\',
  'http://good.example.org\\@evil.example.org/',
  'http://%zz:x@ci.example.org/',
])('%j is no address of a hook', (url) => {
  expect(() => parseTarget(url, admins)).toThrow(/^\[config\.url\]: /)
})

test.each([
  '0.0.0.0',
  '169.254.169.254',
  '0xa9fea9fe',
  '100.64.0.1',
  '168.63.129.16',
  '192.0.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '[::]',
  '[fe80::1]',
  '[fec0::1]',
  '[::a9fe:a9fe]',
  '[fd00:ec2::254]',
  '[ff02::1]',
  '[64:ff9b::a9fe:a9fe]',
  '[2002:a9fe:a9fe::]',
  '[2001::1]',
  '[::ffff:169.254.169.254]',
  '[::ffff:a9fe:a9fe]',
])('nothing is ever delivered to %s', (host) => {
  expect(() => parseTarget(`http://${host}/`, admins)).toThrow('in an address range that webhooks cannot reach')
})

test.each([
  'localhost',
  'LOCALHOST',
  'localhost.',
  'ci.localhost',
  '127.0.0.1',
  '127.1',
  '0177.0.0.1',
  '2130706433',
  '0x7f.1',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::127.0.0.1]',
  '[::ffff:0:7f00:1]',
  '[64:ff9b::7f00:1]',
  'localhost..',
  'ip6-localhost',
])('%s is the server itself, and a target only where that is allowed', (host) => {
  const url = `http://${host}:3000/hook`
  expect(() => parseTarget(url, people)).toThrow('the server itself')
  expect(parseTarget(url, admins)).toEqual({ url })
})

test.each<[server: Record<string, string>, webhook: Record<string, string>, isOpen: boolean]>([
  [{}, {}, true],
  [{ ROOT_URL: 'http://localhost:3000/' }, {}, true],
  [{ ROOT_URL: 'https://git.example.org/' }, {}, false],
  [{ HTTP_ADDR: '0.0.0.0' }, {}, false],
  [{ HTTP_ADDR: '0.0.0.0' }, { ALLOWED_HOST_LIST: 'external, loopback' }, true],
  [{}, { ALLOWED_HOST_LIST: 'external' }, false],
])('with %j and %j, people may aim hooks at the server itself: %j', (server, webhook, isOpen) => {
  const policy = targetPolicy(makeConfig('/data', { server, webhook }), false)
  const aim = () => parseTarget('http://localhost:3000/', policy)
  if (isOpen) expect(aim()).toEqual({ url: 'http://localhost:3000/' })
  else expect(aim).toThrow('[config.url]: "localhost" is the server itself')
})

test('a list of hosts holds for site administrators too, and says so', () => {
  const policy = targetPolicy(makeConfig('/data', { webhook: { ALLOWED_HOST_LIST: ['*.example.org', '10.0.0.0/8'] } }), true)
  for (const host of ['ci.example.org', '10.0.0.7', 'nas']) expect(parseTarget(`http://${host}/`, policy)).toEqual({ url: `http://${host}/` })
  expect(() => parseTarget('http://8.8.8.8/', policy)).toThrow('[config.url]: "8.8.8.8" is not allowed by webhook.ALLOWED_HOST_LIST')
})

test('credentials in the address become the header and leave the address', () => {
  expect(parseTarget('https://ci%40x:p%3Aw@ci.example.org/hook?a=1', people)).toEqual({
    url: 'https://ci.example.org/hook?a=1',
    authorization: `Basic ${btoa('ci@x:p:w')}`,
  })
  expect(parseTarget('https://token@ci.example.org/', people)).toEqual({
    url: 'https://ci.example.org/',
    authorization: `Basic ${btoa('token:')}`,
  })
})

test.each(['', '*', '**', 'main', 'release/*', '{main,release/*}', '{a,{b,c}}', 'v[0-9].?', '[!a-z]*', '[]x]', '\\{', 'a\\]', '[\\]]', 'größe'])(
  '%j is a branch filter',
  (glob) => {
    expect(() => checkBranchFilter(glob)).not.toThrow()
  },
)

test.each(['{', '}', '{a', 'a}', '{a}}', '}{', '[', '[a', '[]', '[!]', '[\\]', '\\', 'a\\', 'a\nb', 'a\0'])('%j is no branch filter', (glob) => {
  expect(() => checkBranchFilter(glob)).toThrow(/^\[branch_filter\]: /)
})

test.each<[string[], string[]]>([
  [[], ['push']],
  [
    ['push', 'create', 'push'],
    ['create', 'push'],
  ],
  [['PUSH'], ['push']],
  [['issues'], ['issues', 'issue_assign', 'issue_label', 'issue_milestone', 'issue_comment']],
  [['issues_only'], ['issues']],
  [
    ['pull_request_only', 'issue_comment'],
    ['issue_comment', 'pull_request'],
  ],
  [['pull_request_review'], ['pull_request_review_approved', 'pull_request_review_rejected', 'pull_request_review_comment']],
  [
    ['pull_request'],
    [
      'pull_request',
      'pull_request_assign',
      'pull_request_label',
      'pull_request_milestone',
      'pull_request_comment',
      'pull_request_review_approved',
      'pull_request_review_rejected',
      'pull_request_review_comment',
      'pull_request_sync',
      'pull_request_review_request',
    ],
  ],
])('%j asks for %j', (asked, events) => {
  expect(expandEvents(asked) as string[]).toEqual(events)
  expect(expandEvents(events)).toEqual(expect.arrayContaining(expandEvents(asked)))
})

test.each<[string[], string[]]>([
  [['pull_request_review'], ['pull_request_review']],
  [
    ['push', 'pull_request_review'],
    ['push', 'pull_request_review'],
  ],
  [
    ['pull_request_review_approved', 'pull_request_review_rejected'],
    ['pull_request_review_approved', 'pull_request_review_rejected'],
  ],
  [
    ['pull_request'],
    [
      'pull_request',
      'pull_request_assign',
      'pull_request_label',
      'pull_request_milestone',
      'pull_request_comment',
      'pull_request_review',
      'pull_request_sync',
      'pull_request_review_request',
    ],
  ],
])('%j comes back as %j', (asked, shown) => {
  expect(foldEvents(expandEvents(asked))).toEqual(shown)
  expect(expandEvents(shown)).toEqual(expandEvents(asked))
})

test.each(['', 'action_run_failure', 'constructor', 'issue', '__proto__'])('%j is no event of ours, and left out', (event) => {
  expect(expandEvents(['push', event])).toEqual(['push'])
})
