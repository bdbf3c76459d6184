/**
 * Whether the person is still at the address of this moment, to be asked when an answer comes late. The router changes
 * the address at once, but a screen that they have left stays mounted until the next one is loaded: if it then wrote its
 * own address, it would take them back.
 */
export function stillHere(): () => boolean {
  const { pathname } = window.location;
  return () => window.location.pathname === pathname;
}
