package dev.kopf4j.devcluster.strategy.networking;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.LabelSelectorValidation;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.PortValidation;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.value.DnsNames;
import dev.kopf4j.devcluster.value.IpAddresses;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The strategies of the group networking.k8s.io. */
public final class NetworkingStrategies {
    private NetworkingStrategies() {}

    /** The strategies by the qualified names of resources. */
    public static Map<String, ResourceStrategy> all() {
        return Map.of(
                "ingressclasses.networking.k8s.io", new IngressClassStrategy(),
                "ipaddresses.networking.k8s.io", new IpAddressStrategy(),
                "servicecidrs.networking.k8s.io", new ServiceCidrStrategy(),
                "ingresses.networking.k8s.io", new IngressStrategy(),
                "networkpolicies.networking.k8s.io", new NetworkPolicyStrategy());
    }

    /**
     * Ingresses: {@code ValidateIngressSpec} in {@code pkg/apis/networking/validation/validation.go},
     * {@code WarningsOnCreate} in {@code pkg/registry/networking/ingress/strategy.go}, v1.33.
     */
    private static final class IngressStrategy implements ResourceStrategy {
        private static final List<String> PATH_TYPES = List.of("Exact", "ImplementationSpecific", "Prefix");
        private static final String WILDCARD_RULE =
                "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist"
                        + " of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g."
                        + " '*.example.com', regex used for validation is '\\*\\." + DnsNames.SUBDOMAIN + "')";
        private static final int MAX_HOST = 253;

        private static final String CLASS = "kubernetes.io/ingress.class";

        @Override
        public List<String> warnings(ObjectDraft draft) {
            boolean deprecated = draft.isNew()
                    && draft.next().path("metadata").path("annotations").has(CLASS);
            return deprecated
                    ? List.of("annotation \"" + CLASS + "\" is deprecated, please use 'spec.ingressClassName' instead")
                    : List.of();
        }

        @Override
        public void validate(ObjectDraft draft, FieldChecks checks) {
            JsonNode spec = draft.next().path("spec");
            if (spec.path("rules").isEmpty() && !spec.has("defaultBackend")) {
                checks.add(FieldError.invalid("spec", "{}", "either `defaultBackend` or `rules` must be specified"));
            }
            if (spec.has("defaultBackend")) {
                backend(spec.path("defaultBackend"), "spec.defaultBackend", checks);
            }
            checkRules(spec.path("rules"), "spec.rules", checks);
            hosts(spec.path("tls"), "spec.tls", checks);
            if (spec.has("ingressClassName")) {
                String name = Json.string(spec, "ingressClassName");
                checks.problem(DnsNames.subdomain(name), "spec.ingressClassName", name);
            }
        }

        /**
         * Rules of ingresses: {@code validateIngressRules} and {@code validateHTTPIngressPath} in
         * {@code pkg/apis/networking/validation/validation.go}, v1.33.
         */
        private static void checkRules(JsonNode rules, String path, FieldChecks checks) {
            int index = 0;
            for (JsonNode rule : rules) {
                String where = path + "[" + index++ + "]";
                host(Json.string(rule, "host"), where + ".host", checks);
                paths(rule.path("http"), where + ".http.paths", checks);
            }
        }

        /** The hosts of certificates: {@code validateIngressTLS}. */
        private static void hosts(JsonNode certificates, String path, FieldChecks checks) {
            for (int index = 0; index < certificates.size(); index++) {
                JsonNode hosts = certificates.get(index).path("hosts");
                for (int host = 0; host < hosts.size(); host++) {
                    dnsName(hosts.get(host).asString(), path + "[" + index + "].hosts[" + host + "]", checks);
                }
            }
        }

        private static void host(String host, String path, FieldChecks checks) {
            if (host.matches("[0-9]+(\\.[0-9]+){3}")) {
                checks.problem("must be a DNS name, not an IP address", path, host);
            } else if (!host.isEmpty()) {
                dnsName(host, path, checks);
            }
        }

        private static void dnsName(String host, String path, FieldChecks checks) {
            boolean wildcard = host.startsWith("*.");
            String plain = wildcard ? host.substring(2) : host;
            if (plain.length() > MAX_HOST || !DnsNames.SUBDOMAIN.matcher(plain).matches()) {
                checks.problem(wildcard ? WILDCARD_RULE : DnsNames.SUBDOMAIN_RULE, path, host);
            }
        }

        private static void paths(JsonNode http, String path, FieldChecks checks) {
            if (http.isObject() && http.path("paths").isEmpty()) {
                checks.add(FieldError.required(path, ""));
            }
            int index = 0;
            for (JsonNode each : http.path("paths")) {
                String where = path + "[" + index++ + "]";
                path(Json.string(each, "pathType"), Json.string(each, "path"), where, checks);
                if (!Json.string(each, "pathType").isEmpty()) {
                    backend(each.path("backend"), where + ".backend", checks);
                }
            }
        }

        private static void path(String type, String path, String where, FieldChecks checks) {
            if (type.isEmpty()) {
                checks.add(FieldError.required(where + ".pathType", "pathType must be specified"));
            } else if (!PATH_TYPES.contains(type)) {
                checks.add(FieldError.notSupported(where + ".pathType", FieldError.quote(type), PATH_TYPES));
            } else if (!path.startsWith("/") && !(type.equals("ImplementationSpecific") && path.isEmpty())) {
                checks.problem("must be an absolute path", where + ".path", path);
            }
        }

        /**
         * Backends of ingresses: {@code validateIngressBackend} in
         * {@code pkg/apis/networking/validation/validation.go}, v1.33.
         */
        private static void backend(JsonNode backend, String path, FieldChecks checks) {
            JsonNode service = backend.path("service");
            boolean resource = backend.path("resource").isObject();
            if (service.isObject() && resource) {
                checks.add(FieldError.invalid(path, "\"\"", "cannot set both resource and service backends"));
            } else if (service.isObject()) {
                service(service, path, checks);
            } else if (resource) {
                resource(backend.path("resource"), path + ".resource", checks);
            } else {
                checks.add(FieldError.invalid(path, "\"\"", "resource or service backend is required"));
            }
        }

        private static void resource(JsonNode resource, String path, FieldChecks checks) {
            String group = Json.string(resource, "apiGroup");
            if (!group.isEmpty()) {
                checks.problem(DnsNames.subdomain(group), path + ".apiGroup", group);
            }
            for (String field : List.of("kind", "name")) {
                checks.required(resource, field, path);
                String value = Json.string(resource, field);
                if (!value.isEmpty()) {
                    checks.problem(DnsNames.pathSegment(value), path + "." + field, value);
                }
            }
        }

        private static void service(JsonNode service, String path, FieldChecks checks) {
            checks.required(service, "name", path + ".service");
            String name = Json.string(service, "name");
            if (!name.isEmpty()) {
                checks.problem(DnsNames.label1035(name), path + ".service.name", name);
            }
            JsonNode port = service.path("port");
            boolean named = !Json.string(port, "name").isEmpty();
            boolean numbered = port.path("number").longValue(0) != 0;
            if (!named && !numbered) {
                checks.add(FieldError.required(path, "port name or number is required"));
            } else if (named && numbered) {
                checks.add(FieldError.invalid(path, "\"\"", "cannot set both port name & port number"));
            } else if (named) {
                PortValidation.checkName(Json.string(port, "name"), path + ".service.port.name", checks);
            } else if (numbered) {
                PortValidation.check(port.path("number"), path + ".service.port.number", checks);
            }
        }
    }

    /**
     * Classes of ingresses: {@code ValidateIngressClass} and {@code ValidateIngressClassUpdate} in
     * {@code pkg/apis/networking/validation/validation.go}, v1.33.
     */
    private static final class IngressClassStrategy implements ResourceStrategy {
        @Override
        public void validate(ObjectDraft draft, FieldChecks checks) {
            JsonNode spec = draft.next().path("spec");
            ObjectNode before = draft.before();
            if (before != null) {
                checks.immutable(spec.path("controller"), before.path("spec").path("controller"), "spec.controller");
            }
            controller(Json.string(spec, "controller"), checks);
            if (spec.path("parameters").isObject()) {
                parameters(spec.path("parameters"), "spec.parameters", checks);
            }
        }

        private static void controller(String controller, FieldChecks checks) {
            String path = "spec.controller";
            if (controller.length() > 250) {
                checks.add(new FieldError(FieldError.Type.TOO_LONG, "Too long: may not be more than 250 bytes", path));
            }
            int slash = controller.indexOf('/');
            if (controller.isEmpty()) {
                checks.add(FieldError.required(path, ""));
            } else if (slash <= 0 || slash == controller.length() - 1) {
                checks.problem("must be a domain-prefixed path (such as \"acme.io/foo\")", path, controller);
            } else {
                checks.problem(
                        DnsNames.subdomain(controller.substring(0, slash)), path, controller.substring(0, slash));
            }
        }

        private static void parameters(JsonNode parameters, String path, FieldChecks checks) {
            checks.required(parameters, "kind", path);
            checks.required(parameters, "name", path);
            String group = Json.string(parameters, "apiGroup");
            if (!group.isEmpty()) {
                checks.problem(DnsNames.subdomain(group), path + ".apiGroup", group);
            }
            String scope = Json.string(parameters, "scope");
            boolean hasNamespace = parameters.has("namespace");
            switch (scope) {
                case "" -> checks.add(FieldError.required(path + ".scope", ""));
                case "Cluster" -> {
                    if (hasNamespace) {
                        checks.add(FieldError.forbidden(path + ".namespace", "`parameters.scope` is set to 'Cluster'"));
                    }
                }
                case "Namespace" -> {
                    if (!hasNamespace) {
                        checks.add(
                                FieldError.required(path + ".namespace", "`parameters.scope` is set to 'Namespace'"));
                    } else {
                        String namespace = Json.string(parameters, "namespace");
                        checks.problem(DnsNames.label(namespace), path + ".namespace", namespace);
                    }
                }
                default ->
                    checks.add(FieldError.notSupported(
                            path + ".scope", FieldError.quote(scope), List.of("Cluster", "Namespace")));
            }
        }
    }

    /**
     * Addresses and whose they are: {@code ValidateIPAddress} and {@code ValidateIPAddressUpdate} in
     * {@code pkg/apis/networking/validation/validation.go}, v1.33.
     */
    private static final class IpAddressStrategy implements ResourceStrategy {
        private static final String PARENT = "spec.parentRef";

        @Override
        public void validate(ObjectDraft draft, FieldChecks checks) {
            String name = Json.string(draft.next(), "metadata", "name");
            if (draft.isNew() && IpAddresses.parse(name).isEmpty()) {
                checks.problem("must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)", "metadata.name", name);
            }
            JsonNode parent = draft.next().path("spec").path("parentRef");
            if (parent.isObject()) {
                parent(parent, checks);
            } else {
                checks.add(FieldError.required(PARENT, ""));
            }
            ObjectNode before = draft.before();
            if (before != null) {
                checks.immutable(parent, before.path("spec").path("parentRef"), PARENT);
            }
        }

        private static void parent(JsonNode parent, FieldChecks checks) {
            String group = Json.string(parent, "group");
            if (!group.isEmpty()) {
                checks.problem(DnsNames.subdomain(group), PARENT + ".group", group);
            }
            checks.required(parent, "resource", PARENT);
            checks.required(parent, "name", PARENT);
            for (String field : List.of("resource", "name", "namespace")) {
                String value = Json.string(parent, field);
                checks.problem(DnsNames.pathSegment(value), PARENT + "." + field, value);
            }
        }
    }

    /**
     * Network policies: {@code SetDefaults_NetworkPolicy} in {@code pkg/apis/networking/v1/defaults.go},
     * {@code ValidateNetworkPolicySpec} in {@code pkg/apis/networking/validation/validation.go}, v1.33.
     */
    private static final class NetworkPolicyStrategy implements ResourceStrategy {
        private static final List<String> TYPES = List.of("Egress", "Ingress");

        @Override
        public void prepare(ObjectDraft draft) {
            ObjectNode spec = Json.child(draft.next(), "spec");
            if (spec.path("policyTypes").isEmpty()) {
                ArrayNode types = spec.putArray("policyTypes").add("Ingress");
                if (!spec.path("egress").isEmpty()) {
                    types.add("Egress");
                }
            }
        }

        @Override
        public boolean checksUpdatesTwice() {
            return true;
        }

        @Override
        public void validate(ObjectDraft draft, FieldChecks checks) {
            JsonNode spec = draft.next().path("spec");
            LabelSelectorValidation.check(spec.path("podSelector"), "spec.podSelector", checks);
            checkRules(spec.path("ingress"), "spec.ingress", "from", checks);
            checkRules(spec.path("egress"), "spec.egress", "to", checks);
            if (spec.path("policyTypes").size() > TYPES.size()) {
                checks.add(FieldError.invalid(
                        "spec.policyTypes",
                        Json.text(spec.path("policyTypes")),
                        "may not specify more than two policyTypes"));
                return;
            }
            int index = 0;
            for (JsonNode type : spec.path("policyTypes")) {
                String where = "spec.policyTypes[" + index++ + "]";
                if (!TYPES.contains(type.asString())) {
                    checks.add(FieldError.notSupported(where, FieldError.quote(type.asString()), TYPES));
                }
            }
        }

        /**
         * Rules of network policies: {@code ValidateNetworkPolicyPort}, {@code ValidateNetworkPolicyPeer} and
         * {@code ValidateIPBlock} in {@code pkg/apis/networking/validation/validation.go}, v1.33. They are for one
         * direction.
         *
         * @param peers the field of a rule that has its peers: {@code from} or {@code to}
         */
        private static void checkRules(JsonNode rules, String path, String peers, FieldChecks checks) {
            int index = 0;
            for (JsonNode rule : rules) {
                String where = path + "[" + index++ + "]";
                int number = 0;
                for (JsonNode port : rule.path("ports")) {
                    String place = where + ".ports[" + number++ + "]";
                    checks.oneOf(port, "protocol", place, List.of("SCTP", "TCP", "UDP"));
                    PortValidation.check(port.path("port"), place + ".port", checks);
                    lastPort(port.path("port"), port.path("endPort"), place + ".endPort", checks);
                }
                number = 0;
                for (JsonNode peer : rule.path(peers)) {
                    peer(peer, where + "." + peers + "[" + number++ + "]", checks);
                }
            }
        }

        private static void lastPort(JsonNode first, JsonNode last, String path, FieldChecks checks) {
            if (!last.isNumber()) {
                return;
            }
            if (!first.isNumber()) {
                String state = first.isString() ? "non-numeric" : "not specified";
                checks.add(FieldError.invalid(path, last.asString(), "may not be specified when `port` is " + state));
                return;
            }
            if (last.longValue() < first.longValue()) {
                checks.add(FieldError.invalid(path, first.asString(), "must be greater than or equal to `port`"));
            }
            PortValidation.check(last, path, checks);
        }

        private static void peer(JsonNode peer, String where, FieldChecks checks) {
            boolean selects = peer.has("podSelector") || peer.has("namespaceSelector");
            boolean block = peer.has("ipBlock");
            if (!selects && !block) {
                checks.add(FieldError.required(where, "must specify a peer"));
            } else if (selects && block) {
                checks.add(FieldError.forbidden(where, "may not specify both ipBlock and another peer"));
            }
            if (block) {
                block(peer.path("ipBlock"), where + ".ipBlock", checks);
            }
            LabelSelectorValidation.check(peer.path("podSelector"), where + ".podSelector", checks);
            LabelSelectorValidation.check(peer.path("namespaceSelector"), where + ".namespaceSelector", checks);
        }

        private static void block(JsonNode block, String path, FieldChecks checks) {
            String cidr = Json.string(block, "cidr");
            if (cidr.isEmpty()) {
                checks.add(FieldError.required(path + ".cidr", ""));
                return;
            }
            IpAddresses.Range range = range(cidr, path + ".cidr", checks).orElse(null);
            if (range == null) {
                return;
            }
            int index = 0;
            for (JsonNode part : block.path("except")) {
                String where = path + ".except[" + index++ + "]";
                boolean outside = range(part.asString(""), where, checks)
                        .filter(except -> !range.contains(except) || except.bits() == range.bits())
                        .isPresent();
                if (outside) {
                    checks.problem("must be a strict subset of `cidr`", where, part.asString(""));
                }
            }
        }

        private static Optional<IpAddresses.Range> range(String text, String path, FieldChecks checks) {
            Optional<IpAddresses.Range> range = IpAddresses.parseRange(text);
            if (range.isEmpty()) {
                checks.problem("must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)", path, text);
            }
            return range;
        }
    }

    /**
     * Ranges of service addresses: {@code ValidateServiceCIDR} in {@code pkg/apis/networking/validation/validation.go},
     * v1.33.
     */
    private static final class ServiceCidrStrategy implements ResourceStrategy {
        @Override
        public Set<String> metadataKeptByStatus() {
            return Set.of("labels", "annotations", "finalizers", "ownerReferences");
        }

        @Override
        public void validate(ObjectDraft draft, FieldChecks checks) {
            JsonNode ranges = draft.next().path("spec").path("cidrs");
            ObjectNode before = draft.before();
            if (before != null) {
                if (!draft.isStatus()) {
                    update(ranges, before.path("spec").path("cidrs"), checks);
                }
            } else {
                check(ranges, checks);
            }
        }

        /** A second range, of the other family, may be added. */
        private static void update(JsonNode ranges, JsonNode before, FieldChecks checks) {
            boolean grows = before.size() == 1 && ranges.size() == 2;
            if (!grows && before.size() != ranges.size()) {
                checks.immutable(ranges, before, "spec.cidrs");
                return;
            }
            for (int index = 0; index < before.size(); index++) {
                checks.immutable(ranges.get(index), before.get(index), "spec.cidrs[" + index + "]");
            }
            if (grows) {
                check(ranges, checks);
            }
        }

        private static void check(JsonNode ranges, FieldChecks checks) {
            if (ranges.isEmpty()) {
                checks.add(FieldError.required("spec.cidrs", "at least one CIDR required"));
            } else if (ranges.size() > 2) {
                checks.add(FieldError.invalid("spec.cidrs", Json.text(ranges), "may only hold up to 2 values"));
                return;
            }
            int index = 0;
            for (JsonNode range : ranges) {
                String path = "spec.cidrs[" + index++ + "]";
                IpAddresses.Range parsed =
                        IpAddresses.parseRange(range.asString()).orElse(null);
                if (parsed == null) {
                    checks.problem(
                            "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)", path, range.asString());
                } else if (!parsed.equals(parsed.masked())) {
                    checks.problem("must not have bits set beyond the prefix length", path, range.asString());
                }
            }
            if (ranges.size() == 2
                    && ranges.get(0).asString().contains(":")
                            == ranges.get(1).asString().contains(":")) {
                checks.add(FieldError.invalid(
                        "spec.cidrs",
                        Json.text(ranges),
                        "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64"));
            }
        }
    }
}
