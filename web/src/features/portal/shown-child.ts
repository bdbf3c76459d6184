import type { OwnChild } from '@caseway/contract/guardians';
import { createContext, useContext } from 'react';

/** The child whose record a guardian looks at; null for one's own record. */
export const ShownChild = createContext<OwnChild | null>(null);
export const useShownChild = (): OwnChild | null => useContext(ShownChild);
