package dev.kopf4j.devcluster.endpoints;

import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.authentication.ServiceAccountTokens;
import dev.kopf4j.devcluster.authorization.review.AccessReview;
import dev.kopf4j.devcluster.authorization.review.AccessReviews;
import dev.kopf4j.devcluster.conversion.StorageConversion;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.StatusConditions;
import dev.kopf4j.devcluster.registry.AdmissionChain;
import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.registry.VerbResult;
import dev.kopf4j.devcluster.registry.read.GetVerb;
import dev.kopf4j.devcluster.registry.read.ListPage;
import dev.kopf4j.devcluster.registry.write.ApplyVerb;
import dev.kopf4j.devcluster.registry.write.CreateVerb;
import dev.kopf4j.devcluster.registry.write.DeleteVerb;
import dev.kopf4j.devcluster.registry.write.PatchVerb;
import dev.kopf4j.devcluster.registry.write.UpdateVerb;
import dev.kopf4j.devcluster.request.DeleteOptions;
import dev.kopf4j.devcluster.request.ListOptions;
import dev.kopf4j.devcluster.request.RequestDecoder;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.resource.SimulatedNode;
import dev.kopf4j.devcluster.response.AcceptHeader;
import dev.kopf4j.devcluster.response.ResponseFactory;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.status.StatusDetails;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** All verbs on all resources, from a request to a response. Thread-safe. */
public final class ResourceEndpoints {
    private final CreateVerb createVerb;
    private final ControllerClient controllerClient;
    private final UpdateVerb updateVerb;
    private final PatchVerb patchVerb;
    private final ReadEndpoint readEndpoint;
    private final DeleteEndpoint deleteEndpoint;
    private final AccessReviews accessReviews;
    private final VerbResponses responses;
    private final SubresourceEndpoint scale;
    private final Map<String, SubresourceEndpoint> subresources;

    /**
     * The verbs over a store.
     *
     * @param watchList whether watches may ask for initial events
     */
    public ResourceEndpoints(
            ServerContext state,
            AdmissionChain admissionChain,
            AccessReviews accessReviews,
            ServiceAccountTokens serviceAccountTokens,
            boolean watchList) {
        this.accessReviews = accessReviews;
        this.createVerb = new CreateVerb(state, admissionChain);
        this.updateVerb = new UpdateVerb(state, createVerb, admissionChain);
        this.controllerClient = new ControllerClient(state, createVerb, admissionChain);
        ApplyVerb applyVerb = new ApplyVerb(state, createVerb, updateVerb);
        this.patchVerb = new PatchVerb(updateVerb, applyVerb);
        GetVerb getVerb = new GetVerb(state);
        DeleteVerb deleteVerb = new DeleteVerb(state);
        this.responses = new VerbResponses(state.clock());
        this.readEndpoint = new ReadEndpoint(state, getVerb, responses, watchList);
        this.deleteEndpoint = new DeleteEndpoint(state, deleteVerb, admissionChain, readEndpoint, responses);
        ScaleSubresource scaleSubresource = new ScaleSubresource(getVerb, updateVerb, applyVerb);
        this.scale = request -> responses.ofScale(request, () -> scaleSubresource.answer(request));
        InternalUpdate podChange = new InternalUpdate(state, getVerb);
        PodEviction eviction = new PodEviction(state, getVerb, updateVerb, deleteVerb, admissionChain, podChange);
        PodContainerEndpoints containers = new PodContainerEndpoints(getVerb);
        Map<String, SubresourceEndpoint> own = new HashMap<>();
        own.put(
                ServiceAccountTokenRequest.PATH,
                posted(new ServiceAccountTokenRequest(state, getVerb, serviceAccountTokens)::issue));
        own.put(PodBinding.PATH, posted(new PodBinding(state, admissionChain, podChange)::bind));
        own.put(PodEviction.PATH, posted(eviction::evict));
        own.put(PodContainerEndpoints.LOG, containers);
        PodContainerEndpoints.CONNECTIONS.forEach(path -> own.put(path, connecting(admissionChain, containers)));
        ProxyEndpoints.of(state, getVerb).forEach((path, proxy) -> own.put(path, connecting(admissionChain, proxy)));
        this.subresources = Map.copyOf(own);
    }

    /** Webhooks are asked before it is known whether there is something to connect to. */
    private static SubresourceEndpoint connecting(AdmissionChain admissionChain, SubresourceEndpoint endpoint) {
        return request -> {
            request.resource()
                    .subresource(request.subresource())
                    .ifPresent(subresource ->
                            admissionChain.admitConnection(request, ConnectOptions.of(request, subresource)));
            return endpoint.answer(request);
        };
    }

    /** What the server's own controllers write by. */
    public ControllerClient controllerClient() {
        return controllerClient;
    }

    /** A verb for POST; other methods are those of all subresources. */
    private SubresourceEndpoint posted(Function<ResourceRequest, VerbResult> verb) {
        return request -> request.request().method().equals("POST")
                ? responses.of(request, () -> verb.apply(request))
                : byMethod(request);
    }

    /** Answers a request; {@link ApiException} if it is refused. */
    public ApiResponse answer(ResourceRequest request) {
        if (request.subresource().equals("scale")) {
            return scale.answer(request);
        }
        String path = request.resource().qualified() + "/" + request.subresource();
        return subresources.getOrDefault(path, this::byMethod).answer(request);
    }

    private ApiResponse byMethod(ResourceRequest request) {
        boolean collection = request.name().isEmpty();
        return switch (request.request().method()) {
            case "GET", "HEAD" -> ResponseFactory.warned(readEndpoint.answer(request), request.warnings());
            case "POST" -> post(request);
            case "PUT" -> {
                if (collection) {
                    throw nameNeeded(request);
                }
                yield responses.of(request, () -> updateVerb.update(request));
            }
            case "PATCH" -> {
                if (collection) {
                    throw nameNeeded(request);
                }
                yield responses.of(request, () -> patchVerb.patch(request));
            }
            case "DELETE" -> deleteEndpoint.answer(request);
            default -> throw notAllowed(request, "");
        };
    }

    private ApiResponse post(ResourceRequest request) {
        if (!request.subresource().isEmpty()) {
            throw ApiException.verbNotSupported("create", request.statusDetails());
        }
        Optional<AccessReview> review = accessReviews.find(request.resource());
        if (review.isPresent()) {
            AcceptHeader.of(request.request()).requireWhole();
            ObjectNode asked = RequestDecoder.decode(request);
            ObjectNode answered = review.get().answer(asked, request.userInfo(), request.namespace());
            return responses.of(request, () -> new VerbResult(201, answered));
        }
        if (!request.name().isEmpty()) {
            throw notAllowed(request, "create");
        }
        return responses.of(request, () -> createVerb.create(request));
    }

    private static ApiException nameNeeded(ResourceRequest request) {
        return request.resource().isCustom()
                ? ApiException.badRequest("name must be provided")
                : ApiException.methodNotAllowed();
    }

    private static ApiException notAllowed(ResourceRequest request, String verb) {
        return request.resource().isCustom()
                ? ApiException.verbNotSupported(verb, request.statusDetails())
                : ApiException.methodNotAllowed();
    }

    /**
     * The options of a connection to a pod, a service or a node, which webhooks see: they are in the query. See
     * {@code PodExecOptions} and others in {@code core/v1/types.go} of the API library, and {@code ConnectResource} in
     * {@code pkg/endpoints/handlers/rest.go} of the apiserver library, v1.33. Pure.
     */
    private static final class ConnectOptions {
        private static final List<String> FLAGS = List.of("stdin", "stdout", "stderr", "tty");
        private static final Map<String, List<String>> TEXTS = Map.of(
                "PodExecOptions", List.of("container"),
                "PodAttachOptions", List.of("container"),
                "PodProxyOptions", List.of("path"),
                "ServiceProxyOptions", List.of("path"),
                "NodeProxyOptions", List.of("path"));

        private static final Pattern PROXIED = Pattern.compile("^.*?/[^/]+/proxy/?(.*)$");

        private ConnectOptions() {}

        static ObjectNode of(ResourceRequest request, Resource.Subresource subresource) {
            String kind = subresource.kind();
            Map<String, List<String>> query = request.request().query();
            ObjectNode options = Json.object().put("apiVersion", "v1").put("kind", kind);
            if (TEXTS.getOrDefault(kind, List.of()).contains("container")) {
                FLAGS.stream().filter(flag -> request.request().flag(flag)).forEach(flag -> options.put(flag, true));
            }
            for (String text : TEXTS.getOrDefault(kind, List.of())) {
                String value = text.equals("path")
                        ? PROXIED.matcher(request.request().path()).replaceFirst("$1")
                        : request.request().parameter(text);
                if (!value.isEmpty()) {
                    options.put(text, value);
                }
            }
            if (kind.equals("PodExecOptions") && query.containsKey("command")) {
                options.set("command", Json.array(query.get("command")));
            }
            if (kind.equals("PodPortForwardOptions") && query.containsKey("ports")) {
                ArrayNode ports = options.putArray("ports");
                query.get("ports").stream()
                        .filter(ConnectOptions::isNumber)
                        .forEach(port -> ports.add(Integer.parseInt(port)));
            }
            return options;
        }

        private static boolean isNumber(String text) {
            return text.matches("[0-9]{1,9}");
        }
    }

    /** The verbs delete and deletecollection, from a request to a response. Thread-safe. */
    private static final class DeleteEndpoint {
        private final ServerContext state;
        private final DeleteVerb deleteVerb;
        private final AdmissionChain admissionChain;
        private final ReadEndpoint readEndpoint;
        private final VerbResponses responses;

        DeleteEndpoint(
                ServerContext state,
                DeleteVerb deleteVerb,
                AdmissionChain admissionChain,
                ReadEndpoint readEndpoint,
                VerbResponses responses) {
            this.state = state;
            this.deleteVerb = deleteVerb;
            this.admissionChain = admissionChain;
            this.readEndpoint = readEndpoint;
            this.responses = responses;
        }

        ApiResponse answer(ResourceRequest request) {
            return request.name().isEmpty() ? collection(request) : object(request);
        }

        private ApiResponse object(ResourceRequest request) {
            if (!request.subresource().isEmpty()) {
                throw ApiException.verbNotSupported("delete", request.statusDetails());
            }
            String refusal = state.strategy(request.resource()).deletion().refusal(request.name());
            if (!refusal.isEmpty()) {
                throw ApiException.forbidden(request.statusDetails(), refusal, List.of(), "");
            }
            DeleteOptions options = DeleteOptions.of(request.request());
            return responses.of(
                    request,
                    () -> deleteVerb.delete(
                            request, options, object -> admissionChain.admitDeletion(request, object, false)));
        }

        private ApiResponse collection(ResourceRequest request) {
            AcceptHeader acceptHeader = AcceptHeader.of(request.request());
            ListPage page = readEndpoint.page(request);
            deleteVerb.deleteAll(request, page.objects(), admissionChain);
            return ResponseFactory.warned(responses.of(request, acceptHeader, page, -1), request.warnings());
        }
    }

    /**
     * Puts pods on nodes, as schedulers do: {@code BindingREST} in {@code pkg/registry/core/pod/storage/storage.go},
     * v1.33. Thread-safe.
     */
    private static final class PodBinding {
        static final String PATH = "pods/binding";
        private final ServerContext state;
        private final AdmissionChain admissionChain;
        private final InternalUpdate podChange;

        PodBinding(ServerContext state, AdmissionChain admissionChain, InternalUpdate podChange) {
            this.state = state;
            this.admissionChain = admissionChain;
            this.podChange = podChange;
        }

        VerbResult bind(ResourceRequest request) {
            JsonNode target = admissionChain
                    .admitSubresource(request, SubresourceBody.read(request, "Binding", "v1"))
                    .path("target");
            String node = Json.string(target, "name");
            if (node.isEmpty()) {
                throw ApiException.plain500("target.name: Required value");
            }
            podChange.change(request, pod -> {
                checkBindable(request.name(), pod);
                Json.child(pod, "spec").put("nodeName", node);
                StatusConditions.set(Json.child(pod, "status"), "PodScheduled", true, "", "", state.now());
            });
            return SubresourceBody.success();
        }

        private static void checkBindable(String name, ObjectNode pod) {
            String node = Json.string(pod, "spec", "nodeName");
            if (pod.path("metadata").has("deletionTimestamp")) {
                throw conflict(name, "is being deleted, cannot be assigned to a host");
            }
            if (!node.isEmpty()) {
                throw conflict(name, "is already assigned to node \"" + node + "\"");
            }
            if (!pod.path("spec").path("schedulingGates").isEmpty()) {
                throw conflict(name, "has non-empty .spec.schedulingGates");
            }
        }

        private static ApiException conflict(String name, String reason) {
            return ApiException.conflict(new StatusDetails("", PATH, name), "pod " + name + " " + reason);
        }
    }

    /**
     * The endpoints that a kubelet serves for the containers of a pod: {@code LogLocation} and {@code streamLocation}
     * in {@code pkg/registry/core/pod/strategy.go}, v1.33. There is no kubelet, so they answer with failures, but logs
     * of simulated pods with a line. Thread-safe.
     */
    private static final class PodContainerEndpoints implements SubresourceEndpoint {
        static final String LOG = "pods/log";
        static final List<String> CONNECTIONS = List.of("pods/exec", "pods/attach", "pods/portforward");
        private final GetVerb getVerb;

        PodContainerEndpoints(GetVerb getVerb) {
            this.getVerb = getVerb;
        }

        /** Answers with an empty log for a pod without a node, and with failures for all else. */
        @Override
        public ApiResponse answer(ResourceRequest request) {
            if (request.subresource().equals("log")) {
                checkLogOptions(request);
            }
            JsonNode pod = StorageConversion.tree(request.resource(), getVerb.get(request));
            if (!request.subresource().equals("portforward")) {
                checkContainer(request, pod.path("spec"));
            }
            String node = Json.string(pod, "spec", "nodeName");
            boolean simulated = SimulatedNode.is(node);
            if (simulated && request.subresource().equals("log")) {
                return ResponseFactory.text(
                        200, "simulated pod " + request.name() + ": no container runs, so nothing is printed\n");
            }
            if (simulated) {
                throw ApiException.badRequest("pod " + request.name() + " is simulated: no container runs");
            }
            if (!node.isEmpty()) {
                throw ApiException.notFound(new StatusDetails("", "pods", node));
            }
            if (request.subresource().equals("log")) {
                return ResponseFactory.text(200, "");
            }
            throw ApiException.badRequest("pod " + request.name() + " does not have a host assigned");
        }

        /** {@code ValidatePodLogOptions} in {@code pkg/apis/core/validation/validation.go}, v1.33. */
        private static void checkLogOptions(ResourceRequest request) {
            List<FieldError> causes = new ArrayList<>();
            checkNumber(request, "tailLines", 0, "must be greater than or equal to 0", causes);
            checkNumber(request, "limitBytes", 1, "must be greater than 0", causes);
            if (request.request().parameter("sinceTime").isEmpty()) {
                checkNumber(request, "sinceSeconds", 1, "must be greater than 0", causes);
            } else if (ListOptions.number(request.request(), "sinceSeconds").isPresent()) {
                causes.add(FieldError.forbidden("", "at most one of `sinceTime` or `sinceSeconds` may be specified"));
            }
            if (!causes.isEmpty()) {
                throw ApiException.invalid(new StatusDetails("", "PodLogOptions", request.name()), causes);
            }
        }

        private static void checkNumber(
                ResourceRequest request, String name, long least, String rule, List<FieldError> causes) {
            OptionalLong number = ListOptions.number(request.request(), name);
            if (number.isPresent() && number.getAsLong() < least) {
                causes.add(FieldError.invalid(name, String.valueOf(number.getAsLong()), rule));
            }
        }

        private static void checkContainer(ResourceRequest request, JsonNode spec) {
            String container = request.request().parameter("container");
            JsonNode containers = spec.path("containers");
            JsonNode initContainers = spec.path("initContainers");
            if (container.isEmpty() && containers.size() > 1) {
                String initial = initContainers.isEmpty()
                        ? ""
                        : " or one of the init containers: [" + names(initContainers) + "]";
                throw ApiException.badRequest("a container name must be specified for pod " + request.name()
                        + ", choose one of: [" + names(containers) + "]" + initial);
            }
            boolean known = Stream.of(containers, initContainers, spec.path("ephemeralContainers"))
                    .flatMap(JsonNode::valueStream)
                    .anyMatch(each -> Json.string(each, "name").equals(container));
            if (!container.isEmpty() && !known) {
                throw ApiException.badRequest("container " + container + " is not valid for pod " + request.name());
            }
        }

        private static String names(JsonNode containers) {
            return containers
                    .valueStream()
                    .map(each -> Json.string(each, "name"))
                    .collect(Collectors.joining(" "));
        }
    }
}
