import { watchDrafts } from './drafts.ts'
import { fetchLater } from './later.ts'
import { onEnhance } from './page.ts'
import { sendOnce } from './sending.ts'
import { watchTimes } from './times.ts'

// What pages do besides where scripts run. Each part only adds to what works without it, and goes by the markup's meaning, not by its looks.

for (const begin of [watchDrafts, sendOnce, watchTimes, fetchLater]) begin()
onEnhance.run(document)
