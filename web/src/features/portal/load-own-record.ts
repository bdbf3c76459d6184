/** What a patient sees who is signed in; not needed to sign in. */
export const loadOwnRecord = () => import('./OwnRecord.tsx');
