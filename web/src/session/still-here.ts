/**
 * Whether the user is still at the current address, for checking when a late answer arrives. The router
 * changes the address at once, but the old screen stays mounted until the next one has loaded: if it then
 * wrote its own address, it would take the user back.
 */
export function stillHere(): () => boolean {
  const { pathname } = window.location;
  return () => window.location.pathname === pathname;
}
