import type { OrgType } from '@caseway/contract/session';
import { Building2, FlaskConical, Landmark, type LucideIcon, MapPinned } from 'lucide-react';

export const orgIcons: Readonly<Record<OrgType, LucideIcon>> = {
  T: Landmark,
  O: Building2,
  F: FlaskConical,
  PHJ: MapPinned,
};
