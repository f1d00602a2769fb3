package dev.kopf4j.devcluster.admission;

import dev.kopf4j.devcluster.authentication.UserInfo;
import dev.kopf4j.devcluster.resource.Resource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * An operation that a request asks for, before the server carries it out.
 *
 * @param verb CREATE, UPDATE, DELETE or CONNECT
 * @param name empty if the request names no object
 * @param before the present object, null if there is none
 * @param options the options as reviews show them
 * @param warnings collects the warnings for the client
 */
public record AdmissionAttributes(
        String verb,
        Resource resource,
        String subresource,
        String namespace,
        String name,
        @Nullable ObjectNode before,
        ObjectNode options,
        boolean dryRun,
        UserInfo userInfo,
        List<String> warnings) {}
