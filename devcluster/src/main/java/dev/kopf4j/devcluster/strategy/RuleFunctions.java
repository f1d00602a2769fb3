package dev.kopf4j.devcluster.strategy;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.selector.LabelSelector;
import dev.kopf4j.devcluster.selector.LabelSyntax;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.value.DnsNames;
import dev.kopf4j.devcluster.value.IpAddresses;
import dev.kopf4j.devcluster.value.Quantity;
import dev.kopf4j.json.JsonEquality;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The formats and functions that rows of all {@link RuleTable}s name. Paths are those of Kubernetes v1.33. Pure. */
final class RuleFunctions {
    private static final String NO_RANGE = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";
    private static final String WILDCARD_RULE =
            "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist"
                    + " of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g."
                    + " '*.example.com', regex used for validation is '\\*\\." + DnsNames.SUBDOMAIN + "')";
    private static final String URL_FORM = "; desired format: https://host[/path]";
    private static final int MAX_HOST = 253;
    private static final String NO_ADDRESS = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
    private static final Set<String> BESIDES_THE_SOURCE = Set.of(
            "capacity accessModes claimRef persistentVolumeReclaimPolicy storageClassName mountOptions volumeMode nodeAffinity volumeAttributesClassName"
                    .split(" "));

    /** {@code betaToGALabel}. */
    private static final Map<String, String> STABLE_LABELS = Map.of(
            "failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone",
            "failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region",
            "beta.kubernetes.io/os", "kubernetes.io/os",
            "beta.kubernetes.io/arch", "kubernetes.io/arch",
            "beta.kubernetes.io/instance-type", "node.kubernetes.io/instance-type");

    /**
     * The format of that name: says what is wrong with a text, empty if nothing is; null if there is no such format.
     */
    static @Nullable UnaryOperator<String> format(String name) {
        return switch (name) {
            case "label" -> DnsNames::label;
            case "label1035" -> DnsNames::label1035;
            case "subdomain" -> DnsNames::subdomain;
            case "lowerSubdomain" -> text -> DnsNames.subdomain(text.toLowerCase(Locale.ROOT));
            case "segment" -> DnsNames::pathSegment;
            case "key" -> LabelSyntax::key;
            case "labelValue" -> LabelSyntax::value;
            case "noAddress" -> text -> parseLoosely(text).isPresent() ? "must be a DNS name, not an IP address" : "";
            case "host" -> RuleFunctions::hostProblem;
            case "reachable" ->
                text -> parseLoosely(text)
                        .map(address -> reserved(address, text))
                        .orElse("");
            case "address" -> text -> IpAddresses.parse(text).isPresent() ? "" : NO_ADDRESS;
            case "legacyAddress" -> text -> parseLoosely(text).isPresent() ? "" : NO_ADDRESS;
            case "endpointAddress" -> RuleFunctions::endpointAddress;
            case "greaterThanZero" -> text -> Quantity.value(text).signum() > 0 ? "" : "must be greater than zero";
            case "range" -> text -> IpAddresses.parseRange(text).isPresent() ? "" : NO_RANGE;
            case "positive" -> text -> Quantity.value(text).signum() > 0 ? "" : "must be positive";
            case "whole" -> text -> Quantity.value(text).stripTrailingZeros().scale() > 0 ? "must be an integer" : "";
            case "notNegative" -> text -> Quantity.value(text).signum() < 0 ? "must be greater than or equal to 0" : "";
            default -> null;
        };
    }

    /** The function of that name, which reports the errors of a value; null if there is none. */
    static @Nullable BiConsumer<Place, FieldChecks> named(String name) {
        return switch (name) {
            case "selector" -> (place, checks) -> LabelSelectorValidation.check(place.now(), place.path(), checks);
            case "labels" -> (place, checks) -> LabelSelectorValidation.labels(place.now(), place.path(), checks);
            case "selectsTemplate" -> (spec, checks) -> selectsTemplate(spec, false, checks);
            case "selectsTemplateOfJob" -> (spec, checks) -> selectsTemplate(spec, true, checks);
            case "selectedByLabels" -> RuleFunctions::selectedByLabels;
            case "volumeType" -> RuleFunctions::volumeType;
            case "nodeAffinityStays" -> RuleFunctions::nodeAffinityStays;
            case "webhookUrl" -> RuleFunctions::webhookUrl;
            case "webhookPath" -> RuleFunctions::webhookPath;
            case "sliceAddress" -> RuleFunctions::sliceAddress;
            case "nameOfVersion" -> RuleFunctions::nameOfVersion;
            case "lowerKey" -> RuleFunctions::lowerKey;
            case "driversStay" -> RuleFunctions::driversStay;
            case "domainPath" -> RuleFunctions::domainPath;
            case "strictSubset" -> RuleFunctions::strictSubset;
            case "maskedRange" -> RuleFunctions::maskedRange;
            default -> null;
        };
    }

    private RuleFunctions() {}

    /** Also with leading zeros: {@code IsValidIPForLegacyField}. */
    private static Optional<InetAddress> parseLoosely(String text) {
        return IpAddresses.parse(IpAddresses.withoutZeros(text));
    }

    /** Whether the selector of a workload selects the labels of its template; those of jobs are shown as a text. */
    private static void selectsTemplate(Place spec, boolean ofJob, FieldChecks checks) {
        JsonNode selector = spec.now().path("selector");
        JsonNode labels = Json.at(spec.now(), "template", "metadata", "labels");
        if (!selector.isObject() || !LabelSelector.of(selector).matches(labels)) {
            String rule = "`selector` does not match template `labels`";
            String shown = Json.text(labels.isMissingNode() && !ofJob ? Json.object() : labels);
            checks.add(FieldError.invalid(
                    spec.path() + ".template.metadata.labels", ofJob ? FieldError.quote(shown) : shown, rule));
        }
    }

    /** Whether the plain selector beside a template selects its labels. */
    private static void selectedByLabels(Place template, FieldChecks checks) {
        ObjectNode selector = Json.object();
        selector.set("matchLabels", template.parent().now().path("selector"));
        JsonNode labels = Json.at(template.now(), "metadata", "labels");
        if (!LabelSelector.of(selector).matches(labels)) {
            String shown = Json.text(labels.isMissingNode() ? Json.object() : labels);
            checks.add(FieldError.invalid(
                    template.path() + ".metadata.labels", shown, "`selector` does not match template `labels`"));
        }
    }

    /**
     * {@code ValidatePersistentVolumeUpdate}: all fields of a volume's spec but some are where its data is. The secret
     * to expand it may come later.
     */
    private static void volumeType(Place spec, FieldChecks checks) {
        JsonNode source = volumeSource(spec.now());
        if (source.isEmpty()) {
            checks.add(FieldError.required(spec.path(), "must specify a volume type"));
        }
        JsonNode former = volumeSource(spec.before());
        String later = "controllerExpandSecretRef";
        if (former.path("csi").isObject()
                && !former.path("csi").hasNonNull(later)
                && source.path("csi") instanceof ObjectNode csi) {
            csi.remove(later);
        }
        if (!spec.draft().isNew() && !JsonEquality.same(source, former)) {
            checks.add(FieldError.forbidden(
                    "spec.persistentvolumesource", "spec.persistentvolumesource is immutable after creation"));
        }
    }

    private static JsonNode volumeSource(JsonNode spec) {
        ObjectNode source = spec.isObject() ? ((ObjectNode) spec).deepCopy() : Json.object();
        return source.without(BESIDES_THE_SOURCE);
    }

    /** {@code validatePvNodeAffinity}: labels of nodes may get their stable names. */
    private static void nodeAffinityStays(Place affinity, FieldChecks checks) {
        JsonNode former = affinity.before().deepCopy();
        String terms = "/required/nodeSelectorTerms";
        for (int index = 0; index < former.at(terms).size(); index++) {
            for (String list : List.of("matchExpressions", "matchFields")) {
                JsonNode before = former.at(terms).path(index).path(list);
                JsonNode now = affinity.now().at(terms).path(index).path(list);
                for (int each = 0; each < before.size(); each++) {
                    String key = Json.string(now.path(each), "key");
                    if (key.equals(STABLE_LABELS.get(Json.string(before.path(each), "key")))) {
                        ((ObjectNode) before.path(each)).put("key", key);
                    }
                }
            }
        }
        if (!affinity.draft().isNew() && !JsonEquality.same(affinity.now(), former)) {
            String rule = "field is immutable, except for updating from beta label to GA";
            checks.add(FieldError.invalid(affinity.path(), Json.text(affinity.now()), rule));
        }
    }

    private static String endpointAddress(String text) {
        InetAddress ip = IpAddresses.parse(text).orElse(null);
        return ip == null ? "must be a valid IP address" : reserved(ip, text);
    }

    /** {@code validateEndpoints} in {@code pkg/apis/discovery/validation/validation.go}. */
    private static void sliceAddress(Place place, FieldChecks checks) {
        String type = Json.string(place.draft().next(), "addressType");
        String address = place.text();
        if (type.equals("FQDN")) {
            if (!address.contains(".")
                    || !DnsNames.subdomain(address.replaceFirst("\\.$", "")).isEmpty()) {
                checks.problem(
                        "should be a domain with at least two segments separated by dots", place.path(), address);
            }
        } else if (type.startsWith("IPv")) {
            InetAddress parsed = IpAddresses.parse(address).orElse(null);
            if (parsed == null) {
                checks.problem("must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)", place.path(), address);
                return;
            }
            if (parsed instanceof Inet4Address != type.equals("IPv4")) {
                checks.problem("must be an " + type + " address", place.parent().path(), address);
            }
            checks.problem(reserved(parsed, address), place.path(), address);
        }
    }

    /** {@code ValidateEndpointIP} in {@code pkg/apis/core/validation/validation.go}. */
    private static String reserved(InetAddress ip, String text) {
        if (ip.isAnyLocalAddress()) {
            return "may not be unspecified (" + text + ")";
        }
        if (ip.isLoopbackAddress()) {
            return "may not be in the loopback range (127.0.0.0/8, ::1/128)";
        }
        if (ip.isLinkLocalAddress()) {
            return "may not be in the link-local range (169.254.0.0/16, fe80::/10)";
        }
        return ip.isMCLinkLocal() ? "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)" : "";
    }

    /** {@code ValidateWebhookURL} in {@code pkg/util/webhook/validation.go} of the apiserver library. */
    private static void webhookUrl(Place url, FieldChecks checks) {
        try {
            URI parsed = URI.create(url.text());
            String scheme = Objects.requireNonNullElse(parsed.getScheme(), "");
            if (!scheme.equals("https")) {
                checks.problem("'https' is the only allowed URL scheme" + URL_FORM, url.path(), scheme);
            }
            if (parsed.getHost() == null) {
                checks.problem("host must be specified" + URL_FORM, url.path(), "");
            }
            absent(parsed.getUserInfo(), "user information is not permitted in the URL", url, checks);
            absent(parsed.getFragment(), "fragments are not permitted in the URL", url, checks);
            absent(parsed.getQuery(), "query parameters are not permitted in the URL", url, checks);
        } catch (IllegalArgumentException e) {
            checks.problem("url must be a valid URL: " + e.getMessage() + URL_FORM, url.path(), url.text());
        }
    }

    private static void absent(@Nullable String part, String problem, Place url, FieldChecks checks) {
        if (part != null && !part.isEmpty()) {
            checks.problem(problem, url.path(), part);
        }
    }

    /** {@code ValidateWebhookService} there. */
    private static void webhookPath(Place place, FieldChecks checks) {
        String path = place.text();
        if (path.isEmpty() || path.equals("/")) {
            return;
        }
        if (!path.startsWith("/")) {
            checks.problem("must start with a '/'", place.path(), path);
        }
        String[] steps = path.substring(1).replaceFirst("/$", "").split("/", -1);
        for (int index = 0; index < steps.length; index++) {
            String step = "segment[" + index + "]";
            if (steps[index].isEmpty()) {
                checks.problem(step + " may not be empty", place.path(), path);
            } else if (!DnsNames.subdomain(steps[index]).isEmpty()) {
                checks.problem(step + ": " + DnsNames.subdomain(steps[index]), place.path(), path);
            }
        }
    }

    private static void nameOfVersion(Place place, FieldChecks checks) {
        JsonNode spec = place.draft().next().path("spec");
        String expected = Json.string(spec, "version") + "." + Json.string(spec, "group");
        if (!place.text().equals(expected)) {
            String rule = "must be `spec.version+\".\"+spec.group`: " + FieldError.quote(expected);
            checks.problem(rule, place.path(), place.text());
        }
    }

    private static void lowerKey(Place place, FieldChecks checks) {
        String lower = place.text().toLowerCase(Locale.ROOT);
        checks.problem(LabelSyntax.key(lower), place.path(), lower);
    }

    /** {@code ValidateCSINodeUpdate} in {@code pkg/apis/storage/validation/validation.go}. */
    private static void driversStay(Place node, FieldChecks checks) {
        for (JsonNode former : node.before().path("spec").path("drivers")) {
            for (JsonNode driver : node.now().path("spec").path("drivers")) {
                if (driver.path("name").equals(former.path("name"))) {
                    checks.immutable(driver, former, "spec.drivers");
                }
            }
        }
    }

    /** {@code IsDomainPrefixedPath} in apimachinery's {@code pkg/util/validation/validation.go}. */
    private static void domainPath(Place place, FieldChecks checks) {
        String path = place.text();
        int slash = path.indexOf('/');
        if (path.isEmpty()) {
            return;
        }
        if (slash <= 0 || slash == path.length() - 1) {
            checks.problem("must be a domain-prefixed path (such as \"acme.io/foo\")", place.path(), path);
        } else {
            checks.problem(DnsNames.subdomain(path.substring(0, slash)), place.path(), path.substring(0, slash));
        }
    }

    private static String hostProblem(String host) {
        boolean wildcard = host.startsWith("*.");
        String plain = wildcard ? host.substring(2) : host;
        boolean right =
                plain.length() <= MAX_HOST && DnsNames.SUBDOMAIN.matcher(plain).matches();
        return right ? "" : wildcard ? WILDCARD_RULE : DnsNames.SUBDOMAIN_RULE;
    }

    /** {@code ValidateIPBlock} in {@code pkg/apis/networking/validation/validation.go}. */
    private static void strictSubset(Place except, FieldChecks checks) {
        String cidr = Json.string(except.parent().parent().now(), "cidr");
        IpAddresses.Range whole = IpAddresses.parseRange(cidr).orElse(null);
        if (whole == null) {
            return;
        }
        IpAddresses.Range part = IpAddresses.parseRange(except.text()).orElse(null);
        if (part == null) {
            checks.problem(NO_RANGE, except.path(), except.text());
        } else if (!whole.contains(part) || part.bits() == whole.bits()) {
            checks.problem("must be a strict subset of `cidr`", except.path(), except.text());
        }
    }

    private static void maskedRange(Place place, FieldChecks checks) {
        IpAddresses.Range parsed = IpAddresses.parseRange(place.text()).orElse(null);
        if (parsed == null) {
            checks.problem(NO_RANGE, place.path(), place.text());
        } else if (!parsed.equals(parsed.masked())) {
            checks.problem("must not have bits set beyond the prefix length", place.path(), place.text());
        }
    }
}
