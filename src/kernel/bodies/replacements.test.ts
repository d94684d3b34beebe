import { expect, test } from 'bun:test'
import { Replacements } from './replacements.ts'

test('forms to one address wait for each other, and for no more than one of each sender', async () => {
  const replacements = new Replacements()
  const order: string[] = []
  const send = (sender: string, signal?: AbortSignal) => {
    const request = new Request('http://localhost/user/settings', { method: 'POST', ...(signal && { signal }) })
    const begun = replacements.begin(request, sender).then(
      () => order.push(sender),
      (error: Error) => order.push(error.message),
    )
    return { begun, end: () => replacements.end(request) }
  }
  const first = send('mallory')
  await first.begun
  const client = new AbortController()
  const [second, third, hers] = [send('mallory'), send('mallory', client.signal), send('ada')]
  client.abort()
  first.end()
  await hers.begun
  expect(order).toEqual(['mallory', 'ada'])
  hers.end()
  await second.begun
  second.end()
  await third.begun
  third.end()
  expect(order).toEqual(['mallory', 'ada', 'mallory', 'The client disconnected.'])
})
