package dev.kopf4j.devcluster.admission;

import dev.kopf4j.devcluster.authentication.UserInfo;
import dev.kopf4j.devcluster.resource.Resource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a request is about to do.
 *
 * @param verb CREATE, UPDATE, DELETE or CONNECT
 * @param name empty when the request names none
 * @param before the present object, null when there is none
 * @param options the options as reviews show them
 * @param warnings words for the client
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
