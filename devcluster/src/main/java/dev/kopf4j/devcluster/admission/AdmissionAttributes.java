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
 * @param before the present object, null if there is none
 * @param options the options as reviews show them
 * @param warnings collects the warnings for the client
 */
public record AdmissionAttributes(
        String verb,
        Target target,
        @Nullable ObjectNode before,
        ObjectNode options,
        UserInfo userInfo,
        List<String> warnings) {
    /**
     * What a request is about.
     *
     * @param name empty if the request names no object
     */
    public record Target(Resource resource, String subresource, String namespace, String name) {}

    /** The resource. */
    public Resource resource() {
        return target.resource();
    }

    /** The endpoint below the object; empty for the object itself. */
    public String subresource() {
        return target.subresource();
    }

    /** The namespace; empty for objects of the cluster. */
    public String namespace() {
        return target.namespace();
    }

    /** The object's name; empty if the request names none. */
    public String name() {
        return target.name();
    }

    /** Whether nothing is to be stored. */
    public boolean dryRun() {
        return options.has("dryRun");
    }
}
