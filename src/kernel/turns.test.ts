import { expect, test } from 'bun:test'
import { AsyncLocalStorage } from 'node:async_hooks'
import { currentSenders, Turns } from './turns.ts'

const nextTurn = () => new Promise(setImmediate)

/** Counts turns of the event loop. */
function countTurns(): { readonly turn: number; stop(): void } {
  const state = { turn: 0, isOver: false, stop: () => void (state.isOver = true) }
  const count = () => {
    state.turn++
    if (!state.isOver) setImmediate(count)
  }
  setImmediate(count)
  return state
}

test('of a crowd of requests a few are taken up in each turn, in the order in which they came', async () => {
  const turns = new Turns(60_000)
  const counted = countTurns()
  const took: [request: number, turn: number][] = []
  await Promise.all(Array.from({ length: 12 }, (_, i) => turns.later(() => took.push([i, counted.turn]))))
  counted.stop()
  expect(took.map(([request]) => request)).toEqual(Array.from({ length: 12 }, (_, i) => i))
  expect(new Set(took.map(([, turn]) => turn)).size).toBe(3)
})

test('of a crowd that one has sent, others wait for few', async () => {
  const turns = new Turns(60_000)
  const took: string[] = []
  const sent = ['many', 'many', 'many', 'many', 'many', 'few', 'few']
  await Promise.all(sent.map((name) => turns.later(() => took.push(name), [name])))
  expect(took).toEqual(['many', 'few', 'many', 'few', 'many', 'many', 'many'])
})

test('what goes on has a turn to itself, with all that follows from it, and no request waits for it', async () => {
  const turns = new Turns(60_000)
  const counted = countTurns()
  const goingOn = async () => {
    const { turn } = counted
    for (let i = 0; i < 50; i++) await Promise.resolve()
    return [turn, counted.turn] as const
  }
  const begun = Array.from({ length: 10 }, () => turns.goOn(goingOn))
  expect(turns.isOver()).toBe(false)
  const answers = await Promise.all(begun)
  counted.stop()
  expect(answers.filter(([from, to]) => from !== to)).toEqual([])
  expect(new Set(answers.map(([turn]) => turn)).size).toBe(10)
})

test('of what goes on of the requests that one has sent, others wait for little', async () => {
  const turns = new Turns(0)
  turns.isOver()
  const took: string[] = []
  const sent = ['many', 'many', 'many', 'many', 'many', 'few', 'few']
  const begun = sent.map((name) => turns.later(() => ({ name, from: currentSenders() }), [name]))
  const answers = await Promise.all(begun)
  await Promise.all(answers.map(({ name, from }) => turns.goOn(() => took.push(name), from)))
  expect(took).toEqual(['many', 'few', 'many', 'few', 'many', 'many', 'many'])
  const within = await turns.later(() => Promise.all([1, 2].map(() => turns.goOn(currentSenders))), ['few'])
  expect(within).toEqual([['few'], ['few']])
})

test('what comes after a turn is spent waits for a later one', async () => {
  const turns = new Turns(0)
  expect([turns.isOver(), turns.isOver()]).toEqual([false, true])
  const done: number[] = []
  const later = [1, 2].map((n) => turns.later(() => done.push(n)))
  expect(done).toEqual([])
  await Promise.all(later)
  expect(done).toEqual([1, 2])
})

test('what many wait for comes to each in a turn of its own, a failure too', async () => {
  const turns = new Turns(60_000)
  const counted = countTurns()
  const arrivals = async (result: Promise<string>) => {
    const seen = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const outcome = await turns.share(result).catch((error: Error) => error.message)
        return [outcome, counted.turn] as const
      }),
    )
    expect(new Set(seen.map(([, turn]) => turn)).size).toBe(10)
    return new Set(seen.map(([outcome]) => outcome))
  }
  expect(await arrivals(nextTurn().then(() => 'made'))).toEqual(new Set(['made']))
  expect(await arrivals(Promise.reject(new Error('broken')))).toEqual(new Set(['broken']))
  counted.stop()
})

test('who comes while others wait waits, too', () => {
  const turns = new Turns(60_000)
  expect(turns.isOver()).toBe(false)
  turns.later(() => {})
  expect(turns.isOver()).toBe(true)
})

test('a turn that is not spent answers all that comes, and so does each that follows', async () => {
  const turns = new Turns(60_000)
  expect([turns.isOver(), turns.isOver()]).toEqual([false, false])
  await nextTurn()
  expect([turns.isOver(), turns.isOver()]).toEqual([false, false])
})

test('work is done for whoever asked for it, not for whoever began the turn', async () => {
  const turns = new Turns(0)
  const who = new AsyncLocalStorage<string>()
  const works = [undefined, 'ada', 'bob'].map((name) => {
    const ask = () => turns.later(() => who.getStore())
    return name === undefined ? ask() : who.run(name, ask)
  })
  expect(await Promise.all(works)).toEqual([undefined, 'ada', 'bob'])
})

test('work that fails fails for who waits for it alone', async () => {
  const turns = new Turns(0)
  turns.isOver()
  const [failed, done] = [
    turns.later(() => {
      throw new Error('no')
    }),
    turns.later(() => 'yes'),
  ]
  expect(await Promise.allSettled([failed, done])).toMatchObject([{ status: 'rejected' }, { status: 'fulfilled', value: 'yes' }])
})
