"""Frame to detections: sources, motion, locator, classifier (cv2, onnxruntime)."""
