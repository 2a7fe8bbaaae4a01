"""What all others build on: units, the plane, solids, hulls, geometry, kernels, files, errors."""
