import { offerCopies } from './copy.ts'
import { watchDrafts } from './drafts.ts'
import { takeFiles } from './files.ts'
import { insertWords } from './insert.ts'
import { watchKeys } from './keys.ts'
import { fetchLater } from './later.ts'
import { moveAmongLines } from './line-focus.ts'
import { writeInPlace } from './line-notes.ts'
import { pickLines } from './lines.ts'
import { searchLive } from './live.ts'
import { attempt, onEnhance, tellDone } from './page.ts'
import { showPreviews } from './preview.ts'
import { sendOnce } from './sending.ts'
import { tickInPlace } from './ticks.ts'
import { watchTimes } from './times.ts'
import { showUploads } from './upload.ts'
import { watchViewer } from './viewer.ts'

// What pages do besides where scripts run. Each part only adds to what works without it, and goes by the markup's meaning, not by its looks.

// Uploads, task lists and line comments come first because they submit their forms themselves.
const all = [
  watchViewer,
  showUploads,
  tickInPlace,
  writeInPlace,
  watchDrafts,
  sendOnce,
  watchTimes,
  fetchLater,
  takeFiles,
  insertWords,
  showPreviews,
  watchKeys,
  pickLines,
  moveAmongLines,
  searchLive,
  offerCopies,
  tellDone,
]
for (const begin of all) attempt(begin)
onEnhance.run(document)
