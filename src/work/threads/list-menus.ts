import type { Kind, ListPlace } from './list-place.ts'

export type MenuName = 'label' | 'milestone' | 'author' | 'assignee' | 'reviewer'

interface Menu {
  title: string
  /** What of the search line it sets. */
  term: 'label' | 'milestone' | 'author' | 'assignee' | 'review-requested'
  /** What its search field is called. */
  find: string
  /** What there may be none of. */
  none?: string
  many: string
}

export const menus: Record<MenuName, Menu> = {
  label: { title: 'Label', term: 'label', find: 'Search labels', none: 'No label', many: 'labels' },
  milestone: { title: 'Milestone', term: 'milestone', find: 'Search milestones', none: 'No milestone', many: 'milestones' },
  author: { title: 'Author', term: 'author', find: 'Search authors', many: 'users' },
  assignee: { title: 'Assignee', term: 'assignee', find: 'Search assignees', none: 'No assignee', many: 'users' },
  reviewer: { title: 'Reviewer', term: 'review-requested', find: 'Search reviewers', many: 'users' },
}

/** Those that a list has: nobody reviews issues. */
export function menusOf(kind: Kind): MenuName[] {
  return (Object.keys(menus) as MenuName[]).filter((name) => kind === 'pulls' || name !== 'reviewer')
}

/** Where a menu's choices stand as a page of their own. */
export function menuAddress({ visit, repo: { owner, row }, kind, line, state }: ListPlace, name: MenuName): string {
  return `${visit.to`/${owner.name}/${row.name}/${kind}/by/${name}`}?state=${state}&q=${encodeURIComponent(String(line))}`
}
