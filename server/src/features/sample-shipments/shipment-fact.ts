import { shipments } from '@caseway/contract/shipment-fact';
import { storedFact } from '../../platform/analytics/facts.ts';

/** The end that a row is for; the destination sees nothing before it was sent. */
const isSender = `e.side = 'sender'`;
const end = (column: string) =>
  `case when ${isSender} then s.origin_${column} else s.destination_${column} end`;

export const shipmentFact = storedFact(shipments, {
  base: { table: 'shipment', as: 's' },
  joins: [`cross join unnest(cast('{sender,destination}' as text[])) as e (side)`],
  where: `${isSender} or s.sent_on is not null`,
  columns: {
    id: 'cast(md5(s.id::text || e.side) as uuid)',
    shipmentId: 's.id',
    organizationId: end('organization_id'),
    facilityId: end('id'),
  },
  own: {
    box_id: { sql: 's.id', as: 'id', for: ['numbers'] },
    // It has no family, and no jurisdiction sees it.
    disease_family: { sql: 'cast(null as text)', as: 'code' },
    county_fips: { sql: 'cast(null as text)', as: 'code' },
  },
  visible: {
    family: 'disease_family',
    organization: 'organization_id',
    facility: 'facility_id',
    county: 'county_fips',
  },
  unit: 'box_id',
  changedBy: { shipment: { by: 'shipment_id' } },
  orderedBy: 'created_on',
});
