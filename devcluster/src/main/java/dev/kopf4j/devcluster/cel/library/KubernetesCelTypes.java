package dev.kopf4j.devcluster.cel.library;

import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;
import dev.kopf4j.devcluster.value.IpAddresses;
import dev.kopf4j.devcluster.value.Quantity;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.URI;

/** The types that Kubernetes adds to the language, and their values. */
final class KubernetesCelTypes {
    static final OpaqueType URL = OpaqueType.create("kubernetes.URL");
    static final OpaqueType QUANTITY = OpaqueType.create("kubernetes.Quantity");
    static final OpaqueType ADDRESS = OpaqueType.create("net.IP");
    static final OpaqueType RANGE = OpaqueType.create("net.CIDR");
    static final OpaqueType FORMAT = OpaqueType.create("kubernetes.NamedFormat");

    private KubernetesCelTypes() {}

    /** A quantity; equal to others of the same amount. */
    record CelQuantity(BigDecimal value) {
        static CelQuantity of(String text) {
            return new CelQuantity(Quantity.value(text));
        }

        static CelQuantity of(BigDecimal value) {
            return new CelQuantity(value);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof CelQuantity(BigDecimal theirs) && value.compareTo(theirs) == 0;
        }

        @Override
        public int hashCode() {
            return value.stripTrailingZeros().hashCode();
        }
    }

    /** The class of the values of a type. */
    static Class<?> classOf(CelType type) {
        return switch (type.name()) {
            case "kubernetes.URL" -> URI.class;
            case "kubernetes.Quantity" -> CelQuantity.class;
            case "net.IP" -> InetAddress.class;
            case "net.CIDR" -> IpAddresses.Range.class;
            case "kubernetes.NamedFormat" -> NamedFormat.class;
            case "kubernetes.authorization.Authorizer" -> CelAuthorizer.class;
            case "kubernetes.authorization.PathCheck" -> CelAuthorizer.PathCheck.class;
            case "kubernetes.authorization.GroupCheck" -> CelAuthorizer.GroupCheck.class;
            case "kubernetes.authorization.ResourceCheck" -> CelAuthorizer.ResourceCheck.class;
            case "kubernetes.authorization.Decision" -> CelAuthorizer.Decision.class;
            default -> Object.class;
        };
    }
}
