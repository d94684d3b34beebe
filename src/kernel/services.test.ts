import { expect, test } from 'bun:test'
import { turns } from '../../test/eventually.ts'
import { Services } from './services.ts'

test('each class is made once for a context, with it, and disposed of with it, the last made first', async () => {
  const ends: string[] = []
  class First {
    [Symbol.dispose]() {
      ends.push('first')
    }
  }
  class Second {
    readonly name: string
    constructor({ name }: { name: string }) {
      this.name = name
    }
    async [Symbol.asyncDispose]() {
      await turns()
      ends.push(`second of ${this.name}`)
    }
  }
  class Plain {}
  const one = new Services(() => ({ name: 'one' }))
  const other = new Services(() => ({ name: 'other' }))
  expect(one.get(First)).toBe(one.get(First))
  expect(one.get(Second)).not.toBe(other.get(Second))
  expect([one.get(Second).name, other.get(Second).name]).toEqual(['one', 'other'])
  one.get(Plain)
  await one[Symbol.asyncDispose]()
  expect(ends).toEqual(['second of one', 'first'])
})
