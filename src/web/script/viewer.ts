import { storage, viewer } from './page.ts'

const LAST = 'pf:viewer'

/**
 * A browser that goes back shows a page as it was left, without asking for it, whoever is signed in by now: whose it is may have signed out,
 * and not every browser forgets it when told to then. So a page that comes back to somebody else is asked for again.
 */
export function watchViewer(): void {
  storage()?.setItem(LAST, viewer)
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted || (storage()?.getItem(LAST) ?? viewer) === viewer) return
    document.documentElement.hidden = true
    location.reload()
  })
}
