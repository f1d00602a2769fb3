package dev.kopf4j.devcluster.request;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.authentication.UserInfo;
import dev.kopf4j.devcluster.fieldmanager.FieldManager;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.status.StatusDetails;
import java.util.ArrayList;
import java.util.List;

/**
 * One request on one resource, which collects the warnings of its response. Used by one thread.
 *
 * @param name empty for the collection
 * @param subresource empty for the object itself
 * @param userInfo the user of the request
 */
public record ResourceRequest(
        ApiRequest request,
        Resource resource,
        String namespace,
        String name,
        String subresource,
        UserInfo userInfo,
        List<String> warnings) {
    /** A request without warnings yet. */
    public ResourceRequest(
            ApiRequest request,
            Resource resource,
            String namespace,
            String name,
            String subresource,
            UserInfo userInfo) {
        this(request, resource, namespace, name, subresource, userInfo, new ArrayList<>());
    }

    /** The resource and name, for failures. */
    public StatusDetails statusDetails() {
        return resource.subject(name);
    }

    /** The same for an object of another name. */
    public StatusDetails subject(String objectName) {
        return resource.subject(objectName);
    }

    /** Whether the request is a dry run: nothing is stored. */
    public boolean dryRun() {
        return request.query().containsKey("dryRun");
    }

    /** The field manager that writes. */
    public FieldManager fieldManager(String now) {
        String given = request.parameter("fieldManager");
        String agent = request.header("user-agent").orElse("unknown");
        String manager = given.isEmpty() ? agent.split("/", 2)[0] : given;
        String time = subresource.equals("scale") ? "" : now; // ToParent of managedfields/scalehandler.go knows none
        return new FieldManager(resource, manager.isEmpty() ? "unknown" : manager, subresource, time);
    }

    /** The same request for another object. */
    public ResourceRequest named(String otherNamespace, String otherName) {
        return new ResourceRequest(request, resource, otherNamespace, otherName, subresource, userInfo, warnings);
    }
}
