import { expect, test } from 'bun:test'
import type { FileDiff } from '#git/diff/diff-files.ts'
import { renderHunks } from './diff-rows.ts'

const hunk = { oldStart: 3, oldLines: 4, newStart: 5, newLines: 5, section: '', lines: [' a', '-b', '-c', '+d', '+e', '+f', ' g'] }
const file = { path: 'a.txt', hunks: [hunk] } as unknown as FileDiff
const coloured = { old: new Map(), now: new Map() }

test.each([
  ['without colours', undefined],
  ['in colours', coloured],
])('every line of a diff has its own number, %s', (_, colours) => {
  const rows = renderHunks(file, { isSplit: false, anchor: 'x', colours })
  expect([...rows.matchAll(/<tr[^>]* id="([^"]+)"/g)].map(([, id]) => id)).toEqual(['xR5', 'xL4', 'xL5', 'xR6', 'xR7', 'xR8', 'xR9'])
})
