import { afterAll, beforeAll, expect, test } from 'bun:test'
import { PATIENCE } from '../../../test/seeds.ts'
import { type ReviewForge, reviewForge } from '../reviews/reviews.fixture.ts'

let house: ReviewForge

beforeAll(async () => {
  house = await reviewForge()
}, PATIENCE)
afterAll(() => house.forge[Symbol.asyncDispose]())

const statusOf = async (branch: string, path: string) => (await house.engine.asUser('ada').get(`/contents/${path}?ref=${branch}`)).status

/** A pull request of two commits that is merged after main has moved on. */
async function merged(style: string) {
  const pull = await house.pullOf({ as: 'bob', title: `By ${style}` })
  await house.commit({ branch: pull.branch, path: `second-${pull.number}.txt`, text: 'second\n' }, 'bob')
  if (style !== 'fast-forward-only') await house.commit({ branch: 'main', path: `main-${pull.number}.txt`, text: 'main\n' })
  await house.engine.asUser('ada').patch('', { allow_fast_forward_only_merge: true })
  const { status } = await house.engine.asUser('ada').post(`/pulls/${pull.number}/merge`, { Do: style })
  expect(status).toBe(200)
  return { ...pull, address: `/ada/engine/pulls/${pull.number}`, second: `second-${pull.number}.txt` }
}

// The first one, while main is where the branches begin.
test.each(['fast-forward-only', 'merge', 'rebase', 'rebase-merge', 'squash'])(
  'what a merge by %s brought is taken back whole on a branch, and nothing else',
  async (style) => {
    const { address, number, path, branch, second } = await merged(style)
    await house.commit({ branch: 'main', path: `later-${number}.txt`, text: 'later\n' })
    const his = house.browserOf('carl')
    expect((await his.get(address)).text).toContain(`action="${address}/revert"`)
    const { status, headers } = await his.post(`${address}/revert`)
    const back = `revert-${number}-${branch}`
    expect([status, headers.get('location')]).toEqual([303, `/ada/engine/compare/main...${back}`])
    expect([await statusOf('main', path), await statusOf(back, path), await statusOf(back, second), await statusOf(back, `later-${number}.txt`)]).toEqual([
      200, 404, 404, 200,
    ])
    const form = (await his.get(headers.get('location') as string)).text
    expect(form).toContain(`value="Revert &quot;By ${style}&quot;"`)
    expect(form).toContain(`This reverts pull request #${number}.`)
    expect((await his.post(`${address}/revert`)).headers.get('location')).toBe(`/ada/engine/compare/main...${back}-2`)
  },
)

test('what was changed since is told, and no branch is made', async () => {
  const { address, number, path, branch } = await merged('squash')
  await house.commit({ branch: 'main', path, text: 'something else\n' })
  const refused = await house.browserOf('bob').post(`${address}/revert`)
  expect([refused.status, refused.text.includes(`it conflicts with branch “main” in ${path}`)]).toEqual([409, true])
  expect((await house.engine.asUser('ada').get(`/branches/revert-${number}-${branch}`)).status).toBe(404)
})

test('only who may push is offered it, and only of what is merged', async () => {
  const { address } = await merged('merge')
  const hers = house.browserOf('rita')
  expect((await hers.get(address)).text).not.toContain('/revert"')
  expect((await hers.post(`${address}/revert`)).status).toBe(403)
  const open = await house.pullOf({ as: 'bob' })
  expect((await house.browserOf('bob').get(`/ada/engine/pulls/${open.number}`)).text).not.toContain('/revert"')
  expect((await house.browserOf('bob').post(`/ada/engine/pulls/${open.number}/revert`)).status).toBe(422)
})

test('one that was merged before it was kept what onto is taken back when its commit tells', async () => {
  const { address, number } = await merged('merge')
  const squashed = await merged('squash')
  house.forge.context.db.tx((tx) => tx.run('UPDATE pull SET merge_onto = NULL'))
  const his = house.browserOf('bob')
  expect((await his.post(`${address}/revert`)).headers.get('location')).toContain(`revert-${number}-`)
  const refused = await his.post(`${squashed.address}/revert`)
  expect([refused.status, refused.text.includes('Revert the commits one by one')]).toEqual([409, true])
})
