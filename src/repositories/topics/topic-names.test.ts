import { expect, test } from 'bun:test'
import { testForge } from '../../../test/harness.ts'

test('a record shows the topics that a repository has, in order, whichever way they come and go', async () => {
  await using forge = testForge()
  const ada = await forge.person('ada')
  forge.repo(ada, 'engine')
  const topics = async () => (await forge.asUser(ada).get<{ topics: string[] }>('/repos/ada/engine')).body.topics
  const change = (sql: string) => forge.context.db.tx((tx) => tx.run(sql))
  expect(await topics()).toEqual([])
  change('INSERT INTO topic (repo_id, name) SELECT repository.id, value FROM repository, json_each(\'["steam", "brass", "math"]\')')
  expect(await topics()).toEqual(['brass', 'math', 'steam'])
  change("DELETE FROM topic WHERE name = 'math'")
  expect(await topics()).toEqual(['brass', 'steam'])
  change('DELETE FROM topic')
  expect(await topics()).toEqual([])
})
