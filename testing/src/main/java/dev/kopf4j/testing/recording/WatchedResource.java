package dev.kopf4j.testing.recording;

import dev.kopf4j.Resource;
import java.util.Optional;

/**
 * What an operator watches. Immutable.
 *
 * @param resource the resource
 * @param namespace where; empty for the whole cluster
 * @param labelSelector which objects; empty for all
 */
public record WatchedResource(Resource resource, Optional<String> namespace, String labelSelector) {}
