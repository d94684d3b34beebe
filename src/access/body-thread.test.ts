import { expect, test } from 'bun:test'
import { outcome } from '../../test/outcome.ts'
import { readFields, readJson } from './body-thread.ts'

const form = 'application/x-www-form-urlencoded'
const long = 'é"\\\n'.repeat(200_000)

/** What `work` answers, and how many turns others had meanwhile. */
async function counting<T>(work: () => Promise<T>): Promise<{ answer: T; turns: number }> {
  let turns = 0
  let next = setImmediate(function turn() {
    turns++
    next = setImmediate(turn)
  })
  const answer = await work()
  clearImmediate(next)
  return { answer, turns }
}

test('a large body is what a small one would be, and others have their turns while it is read', async () => {
  for (const text of ['short', long]) {
    const body = { a: text, b: [{ c: null }], d: 1.5 }
    const json = await counting(() => readJson(Buffer.from(JSON.stringify(body)), 'ada'))
    expect(json.answer).toEqual(body)
    const fields = await counting(() => readFields(Buffer.from(`${new URLSearchParams({ a: text, b: 'x' })}&b=y`), form, 'ada'))
    expect(fields.answer).toEqual(
      new Map([
        ['a', [text]],
        ['b', ['x', 'y']],
      ]),
    )
    if (text === long) expect(Math.min(json.turns, fields.turns)).toBeGreaterThan(3)
  }
})

test('a large body is refused as a small one is', async () => {
  for (const text of ['short', long]) {
    expect(await outcome(readJson(Buffer.from(JSON.stringify({ a: text }).slice(0, -1)), 'ada'))).toThrow('Cannot parse the body as JSON: ')
    expect(await outcome(readJson(Buffer.from(`${JSON.stringify(text)}${'['.repeat(70)}`), 'ada'))).toThrow('nested more than')
    const many = `a=${encodeURIComponent(text)}${'&b=c'.repeat(3000)}`
    expect(await outcome(readFields(Buffer.from(many), form, 'ada'))).toThrow('more than 2000 fields')
    expect(await outcome(readFields(Buffer.from(text), 'multipart/form-data; boundary=x', 'ada'))).toThrow('Cannot parse the body as multipart/form-data')
  }
})
