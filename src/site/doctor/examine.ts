import { checks, type Patient } from './checks.ts'

/** What one check found, and what was done about it. */
export interface Diagnosis {
  check: string
  /** How many things were looked at. */
  examined: number
  problems: Finding[]
}

/** Something that was found, and whether it was set right, or waits for the next start, which sees to it. */
export interface Finding {
  subject: string
  text: string
  repaired: boolean
  waits: boolean
}

/** Runs all checks one after another, repairing what can be repaired if asked to; tells of each as it is done. */
export async function examine(patient: Patient, repair: boolean, onDiagnosis: (diagnosis: Diagnosis) => void): Promise<Diagnosis[]> {
  const diagnoses: Diagnosis[] = []
  for (const { name, run } of checks) {
    const { examined, problems } = await run(patient)
    if (repair) for (const problem of problems) await problem.repair?.()
    const reported = problems.map(({ subject, text, waits = false, repair: mend }) => ({ subject, text, repaired: repair && mend !== undefined, waits }))
    const diagnosis = { check: name, examined, problems: reported }
    diagnoses.push(diagnosis)
    onDiagnosis(diagnosis)
  }
  return diagnoses
}

/** Whether anything is wrong still. */
export function isWell(diagnoses: readonly Diagnosis[]): boolean {
  return diagnoses.every(({ problems }) => !problems.some(isWrong))
}

export function isWrong({ repaired, waits }: Finding): boolean {
  return !repaired && !waits
}
