import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { PageForm } from './page-fields.ts'
import { makeWrittenWorld, type WrittenWorld } from './written-forms.ts'

/** Every form that replaces what somebody wrote says what it was made from, so that a stale one overwrites nothing unseen. */

setDefaultTimeout(120_000)

let world: WrittenWorld
beforeAll(async () => {
  world = await makeWrittenWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

/** Fields by which a form says that: those of `EditForm`, of files, and of issues and comments. */
const versions = ['made_from', 'sha', 'content_version']

/** Forms whose texts are a suggestion for something new; others for something new have a field that is empty and may not be. */
const isNew = /\/(?:_new|_upload|new|revert|cherry-pick|fork|compare|merge|conflicts|suggestions|blocked_users)\b|\/repo\/(?:create|migrate)/

test('a form that holds what somebody wrote before says what it was made from', () => {
  const holds = ({ fields }: PageForm, name: string) => fields[name]?.some((value) => value !== '') === true
  const replacing = world.forms.filter(
    (form) => !isNew.test(form.action) && form.required.every((name) => holds(form, name)) && form.written.some((name) => holds(form, name)),
  )
  const without = replacing.filter(({ fields }) => !versions.some((name) => fields[name] !== undefined))
  expect(without.map(({ action, written }) => `${action}: ${written}`)).toEqual([])
  expect(replacing.length).toBeGreaterThan(15)
})
