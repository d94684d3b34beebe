import type { Page } from '#kernel/page.ts'
import {
  ActionButton,
  type Child,
  Choice,
  countText,
  DeletedLately,
  type DeletedThing,
  EditForm,
  Empty,
  type Html,
  LabelMark,
  Pager,
  SearchForm,
  Select,
  SubmitButton,
  TextField,
  Trouble,
  type Visit,
} from '#web/index.ts'
import type { LabelForm } from './label-form.ts'
import type { CountedLabel, LabelRow } from './store.ts'
import { findLabelTemplate, labelTemplateNames } from './templates.ts'

/** So few are found without a search. */
const FEW = 10

/** Where labels are shown: whose they are, and what stands around them. */
export interface LabelPlace {
  visit: Visit
  /** Of the list; each label stands below it, by its id. */
  address: string
  /** Where what carries a label is listed. */
  carriers?: (label: LabelRow) => string
  mayWrite: boolean
  frame: (children: Child) => Html
}

/** A form that was refused: of which label, undefined for a new one, what was typed, and why. */
export interface RefusedLabel {
  id: number | undefined
  typed: LabelForm
  reason: string
}

interface Props {
  place: LabelPlace
  labels: readonly CountedLabel[]
  /** Those that can be restored. */
  deleted: readonly DeletedThing[]
  /** What they are searched for. */
  q: string
  page: Page
  total: number
  refused: RefusedLabel | undefined
}

export function LabelsPage({ place, labels, deleted, q, page, total, refused }: Props) {
  const { address, visit, mayWrite } = place
  const fresh = refused && refused.id === undefined ? refused : undefined
  return place.frame(
    <>
      {(q !== '' || total > FEW) && <SearchForm action={address} label="Search labels" q={q} />}
      {total === 0 && (
        <Empty visit={visit} icon="tag" title={q === '' ? 'No labels yet' : `No labels match “${q}”`}>
          {q === '' ? 'Use labels to categorize issues and pull requests.' : <a href={address}>All labels</a>}
        </Empty>
      )}
      {labels.length > 0 && (
        <ul class="list">
          {labels.map((label) => (
            <li class="line">
              <LabelMark label={label} href={place.carriers?.(label)} />
              {label.archived_at !== null && <span class="mark">Archived</span>} <span class="faint">{label.description}</span>
              {place.carriers && label.issue_count > 0 && (
                <a class="faint" href={`${place.carriers(label)}&state=all`}>
                  {countText(label.issue_count, 'issue or pull request', 'issues and pull requests')}
                </a>
              )}
              {mayWrite && <Change address={`${address}/${label.id}`} label={label} refused={refused?.id === label.id ? refused : undefined} />}
            </li>
          ))}
        </ul>
      )}
      <Pager visit={visit} page={page} total={total} />
      {mayWrite && (
        <details open={(total === 0 && q === '') || fresh !== undefined}>
          <summary>New label</summary>
          <LabelFields action={address} form={fresh?.typed} error={fresh?.reason} button="Create label" />
        </details>
      )}
      {mayWrite && (
        <details open={total === 0 && q === ''}>
          <summary>Load a label set</summary>
          <form class="fields" method="post" action={`${address}/sets`}>
            <Select name="template" label="Label set" options={labelTemplateNames.map((name) => [name, describeSet(name)])} />
            <SubmitButton>Load label set</SubmitButton>
          </form>
        </details>
      )}
      <DeletedLately visit={visit} action={`${address}/restore`} deleted={deleted} icon="tag" />
    </>,
  )
}

/** Its name, and what is in it. */
function describeSet(name: string): string {
  const labels = findLabelTemplate(name) ?? []
  const first = labels.slice(0, 4).map((label) => label.name)
  return `${name}: ${first.join(', ')}${labels.length > first.length ? ` and ${labels.length - first.length} more` : ''}`
}

function Change({ address, label, refused }: { address: string; label: LabelRow; refused: RefusedLabel | undefined }) {
  const form = refused?.typed ?? { ...label, color: `#${label.color}`, exclusive: label.is_exclusive === 1, is_archived: label.archived_at !== null }
  return (
    <details open={refused !== undefined}>
      <summary class="quiet">Edit</summary>
      <LabelFields action={address} form={form} error={refused?.reason} button="Save label" isKnown />
      <ActionButton action={`${address}/delete`} to={label.name} isDanger>
        Delete label
      </ActionButton>
    </details>
  )
}

interface FieldsProps {
  action: string
  form: LabelForm | undefined
  error: string | undefined
  button: string
  isKnown?: boolean
}

function LabelFields({ action, form, error, button, isKnown = false }: FieldsProps) {
  return (
    <EditForm class="fields" action={action} isNew={!isKnown}>
      <Trouble text={error} />
      <TextField name="name" label="Name" value={form?.name} most={50} isRequired />
      <TextField name="color" label="Color" type="color" value={form?.color ?? '#70c24a'} />
      <TextField name="description" label="Description" value={form?.description} most={200} />
      <Choice name="exclusive" label="Exclusive: only one label of the same scope per issue (scope/name)" isOn={form?.exclusive === true} />
      {isKnown && <Choice name="is_archived" label="Archived: kept on issues, hidden from pickers" isOn={form?.is_archived === true} />}
      <SubmitButton>{button}</SubmitButton>
    </EditForm>
  )
}
