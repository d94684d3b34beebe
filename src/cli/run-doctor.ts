export interface DoctorOptions { repair?: boolean }
export async function runDoctor() {}
