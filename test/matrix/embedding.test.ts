import { expect, test } from 'bun:test'
import { makePageWorld, REPO } from './page-world.ts'

/** Files of a repository: what other origins could embed with the cookie of a signed-in reader. */
const filesOf = ({ params: { asset, uuid } }: { params: Record<string, string> }) => [
  `${REPO}/raw/branch/main/a.ts`,
  `${REPO}/media/branch/main/a.ts`,
  `${REPO}/archive/main.zip`,
  `${REPO}/wiki/raw/Home.md`,
  `${REPO}/attachments/${uuid}`,
  `/attachments/${uuid}`,
  `${REPO}/releases/attachments/${asset}`,
  `/attachments/${asset}`,
  `${REPO}/releases/download/v1/a%20b.log`,
]

test.each([
  [true, 'same-origin'],
  [false, null],
])('files of a repository (private: %j) that a browser reads with a cookie have the resource policy %j', async (isPrivate, policy) => {
  await using world = await makePageWorld({ isPrivate })
  for (const path of filesOf(world)) {
    const { status, headers } = await world.browsers.reader.get(path)
    expect([path, status, headers.get('cross-origin-resource-policy')]).toEqual([path, 200, policy])
  }
})

test('the files of a draft release in a public repository cannot be embedded', async () => {
  await using world = await makePageWorld({ isPrivate: false })
  world.forge.context.db.tx((tx) => tx.run('UPDATE release SET is_draft = 1'))
  for (const path of filesOf(world).slice(-3)) {
    const { status, headers } = await world.browsers.owner.get(path)
    expect([path, status, headers.get('cross-origin-resource-policy')]).toEqual([path, 200, 'same-origin'])
  }
})
