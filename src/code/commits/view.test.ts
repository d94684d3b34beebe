import { expect, test } from 'bun:test'
import { identTime } from './view.ts'

test.each([
  ['+0000', '2023-11-14T22:13:20Z'],
  ['-0000', '2023-11-14T22:13:20Z'],
  ['+0530', '2023-11-15T03:43:20+05:30'],
  ['-0330', '2023-11-14T18:43:20-03:30'],
  ['+0199', '2023-11-15T00:52:20+02:39'],
  ['-2359', '2023-11-13T22:14:20-23:59'],
  ['+2400', '2023-11-14T22:13:20Z'],
  ['-2360', '2023-11-14T22:13:20Z'],
  ['-3407', '2023-11-14T22:13:20Z'],
  ['+9959', '2023-11-14T22:13:20Z'],
])('writes a commit time of the zone %s in RFC 3339', (zone, time) => {
  expect(identTime({ name: 'Ada', email: 'ada@example.org', seconds: 1_700_000_000, zone })).toBe(time)
})
