/** What a signed-in patient sees; not needed for signing in. */
export const loadOwnRecord = () => import('./OwnRecord.tsx');
