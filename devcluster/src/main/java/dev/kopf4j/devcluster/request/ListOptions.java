package dev.kopf4j.devcluster.request;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.resource.CustomKind;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.selector.FieldSelector;
import dev.kopf4j.devcluster.selector.LabelSelector;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.status.StatusDetails;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * The options of a list or watch, validated as {@code ValidateListOptions} in
 * {@code pkg/apis/meta/internalversion/validation/validation.go} of apimachinery does, v1.33.
 *
 * @param limit 0 for no limit
 * @param timeoutSeconds 0 if not given
 */
public record ListOptions(
        LabelSelector labels, FieldSelector fields, ApiRequest request, long limit, long timeoutSeconds) {
    public static ListOptions of(ResourceRequest resourceRequest, boolean watchList) {
        ApiRequest request = resourceRequest.request();
        long limit = number(request, "limit").orElse(0);
        long timeout = number(request, "timeoutSeconds").orElse(0);
        LabelSelector labels = LabelSelector.parse(request.parameter("labelSelector"));
        FieldSelector fields =
                FieldSelector.parse(request.parameter("fieldSelector"), selectable(resourceRequest.resource()));
        check(request, request.flag("watch"), watchList);
        return new ListOptions(labels, fields, request, limit, timeout);
    }

    /** The resourceVersion parameter; empty if not given. */
    public String version() {
        return request.parameter("resourceVersion");
    }

    /** The resourceVersionMatch parameter; empty if not given. */
    public String match() {
        return request.parameter("resourceVersionMatch");
    }

    /** The continue parameter; empty if not given. */
    public String token() {
        return request.parameter("continue");
    }

    /** Whether a watch tells from time to time how far it is. */
    public boolean bookmarks() {
        return request.flag("allowWatchBookmarks");
    }

    /** Whether a watch begins with all objects because the client says so. */
    public boolean initialEvents() {
        return request.flag("sendInitialEvents");
    }

    /** Whether the client says that a watch does not begin with all objects. */
    public boolean onlyChanges() {
        return request.query().containsKey("sendInitialEvents") && !initialEvents();
    }

    /** A whole number in the query of a request; empty if it is not given. */
    public static OptionalLong number(ApiRequest request, String name) {
        String value = request.parameter(name);
        if (value.isEmpty()) {
            return OptionalLong.empty();
        }
        if (!value.matches("-?[0-9]{1,18}")) {
            throw ApiException.badRequest("strconv.ParseInt: parsing \"" + value + "\": invalid syntax");
        }
        return OptionalLong.of(Long.parseLong(value));
    }

    private static Set<String> selectable(Resource resource) {
        Set<String> fields = new HashSet<>(resource.resourceTraits().fields());
        fields.add("metadata.name");
        fields.add("metadata.namespace");
        CustomKind custom = resource.custom();
        if (custom != null) {
            fields.addAll(custom.selectableFields());
        }
        return fields;
    }

    /** The same options with one more condition. */
    public ListOptions and(FieldSelector.Term term) {
        List<FieldSelector.Term> terms = new ArrayList<>(fields.terms());
        terms.add(term);
        return new ListOptions(labels, new FieldSelector(terms), request, limit, timeoutSeconds);
    }

    /** Whether an object matches the selectors. */
    public boolean matches(JsonNode object) {
        return labels.matches(object.path("metadata").path("labels")) && fields.matches(object);
    }

    /** Whether all objects match. */
    public boolean matchesAll() {
        return labels.isEmpty() && fields.isEmpty();
    }

    private static void check(ApiRequest request, boolean watch, boolean watchList) {
        List<FieldError> causes = watch ? watchCauses(request, watchList) : listCauses(request);
        if (!causes.isEmpty()) {
            throw ApiException.invalid(new StatusDetails("meta.k8s.io", "ListOptions", ""), causes);
        }
    }

    private static List<FieldError> listCauses(ApiRequest request) {
        List<FieldError> causes = new ArrayList<>();
        String version = request.parameter("resourceVersion");
        String match = request.parameter("resourceVersionMatch");
        if (request.query().containsKey("sendInitialEvents")) {
            causes.add(FieldError.forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
        }
        if (match.isEmpty()) {
            return causes;
        }
        String field = "resourceVersionMatch";
        if (version.isEmpty()) {
            causes.add(FieldError.forbidden(
                    field, "resourceVersionMatch is forbidden unless resourceVersion is provided"));
        }
        if (!request.parameter("continue").isEmpty()) {
            causes.add(FieldError.forbidden(field, "resourceVersionMatch is forbidden when continue is provided"));
        }
        if (!match.equals("Exact") && !match.equals("NotOlderThan")) {
            causes.add(FieldError.notSupported(field, FieldError.quote(match), List.of("Exact", "NotOlderThan", "")));
        }
        if (match.equals("Exact") && version.equals("0")) {
            causes.add(FieldError.forbidden(
                    field, "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\""));
        }
        return causes;
    }

    private static List<FieldError> watchCauses(ApiRequest request, boolean watchList) {
        List<FieldError> causes = new ArrayList<>();
        String match = request.parameter("resourceVersionMatch");
        if (!request.query().containsKey("sendInitialEvents")) {
            if (!match.isEmpty()) {
                causes.add(FieldError.forbidden(
                        "resourceVersionMatch",
                        "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"));
            }
            return causes;
        }
        if (!match.equals("NotOlderThan")) {
            causes.add(FieldError.forbidden(
                    "resourceVersionMatch", "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
        }
        if (!match.isEmpty() && !match.equals("NotOlderThan")) {
            causes.add(
                    FieldError.notSupported("resourceVersionMatch", FieldError.quote(match), List.of("NotOlderThan")));
        }
        if (!watchList) {
            causes.add(FieldError.forbidden(
                    "sendInitialEvents",
                    "sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled"));
        }
        return causes;
    }
}
