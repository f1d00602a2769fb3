package dev.kopf4j.devcluster.storage;

import java.util.List;

/** Objects as they were at a version. */
public record Listing(List<StoredObject> objects, long version) {}
