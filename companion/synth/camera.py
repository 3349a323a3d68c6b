"""A pinhole camera over a table top."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Camera"]

Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Camera:
    """A pinhole camera above the table.

    Attributes:
        size: Width and height of the picture in pixels.
        projection: (3, 4) float64, homogeneous millimetres to homogeneous pixels.
    """

    size: tuple[int, int]
    projection: NDArray[np.float64]

    @classmethod
    def above(
        cls,
        size: tuple[int, int],
        *,
        distance_mm: float = 900,
        tilt: float = 0.0,
        yaw: float = 0.0,
        roll: float = 0.0,
        width_mm: float = 600,
        target_mm: tuple[float, float] = (0, 0),
    ) -> Camera:
        """Look at a point of the table.

        Args:
            size: Picture size in pixels.
            distance_mm: From the lens to the target.
            tilt: Angle from straight above, radians; the camera moves south.
            yaw: Turn of that direction around the vertical, radians.
            roll: Turn of the picture around the line of sight, radians.
            width_mm: How much of the table is seen from left to right at the target.
            target_mm: The point in the middle of the picture.
        """
        back = np.array([np.sin(tilt) * np.sin(yaw), np.sin(tilt) * np.cos(yaw), np.cos(tilt)])
        right = np.array([np.cos(yaw), -np.sin(yaw), 0.0])
        # x right, y down, z forward
        down = np.array([np.cos(tilt) * np.sin(yaw), np.cos(tilt) * np.cos(yaw), -np.sin(tilt)])
        c, s = np.cos(roll), np.sin(roll)
        rotation = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ np.stack([right, down, -back])
        eye = np.array([target_mm[0], target_mm[1], 0.0]) + back * distance_mm
        focal = size[0] * distance_mm / width_mm
        intrinsic = np.array([[focal, 0, size[0] / 2], [0, focal, size[1] / 2], [0, 0, 1]])
        return cls(size, intrinsic @ np.hstack([rotation, (-rotation @ eye)[:, None]]))

    def project(self, points_mm: Points) -> Points:
        """Picture points, (N, 2) pixels, of table points, (N, 3) millimetres."""
        homogeneous = np.hstack([points_mm, np.ones((len(points_mm), 1))]) @ self.projection.T
        return np.asarray(homogeneous[:, :2] / homogeneous[:, 2:])

    def depth(self, points_mm: Points) -> Points:
        """How far before the lens points lie, (N,) mm along its line of sight; behind it negative."""
        return np.asarray(points_mm @ self.projection[2, :3] + self.projection[2, 3])

    def plane(self, z_mm: float = 0.0) -> NDArray[np.float64]:
        """(3, 3) homography from millimetres in the plane at height `z_mm` to pixels."""
        p = self.projection
        return np.stack([p[:, 0], p[:, 1], p[:, 2] * z_mm + p[:, 3]], axis=1)
