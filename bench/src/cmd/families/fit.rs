//! How fast something grows: the exponent of a power of N that fits best.

/// Least squares on logarithms; the slope of that line. Nothing without two different sizes.
pub fn exponent(points: &[(usize, f64)]) -> Option<f64> {
    let logarithms = points.iter().map(|(n, value)| ((*n as f64).ln(), value.ln()));
    let points: Vec<(f64, f64)> = logarithms.filter(|(x, y)| x.is_finite() && y.is_finite()).collect();
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let spread: f64 = points.iter().map(|p| (p.0 - x).powi(2)).sum();
    let common: f64 = points.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
    (spread > 0.0).then(|| common / spread)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents() {
        let check = |power: f64, factor: f64| {
            let of = |n: usize| (n, factor * (n as f64).powf(power));
            let fitted = exponent(&[10, 30, 100, 300, 1000].map(of)).unwrap();
            assert!((fitted - power).abs() < 1e-9, "{power} {fitted}");
        };
        check(1.0, 0.02);
        check(0.0, 5.0);
        check(2.5, 1e-6);
        // Equally far above and below the line.
        let fitted = exponent(&[(10, 2.0), (10, 0.5), (1000, 200.0), (1000, 50.0)]).unwrap();
        assert!((fitted - 1.0).abs() < 1e-9, "{fitted}");
    }

    #[test]
    fn one_size_is_not_enough() {
        for points in [&[][..], &[(10, 1.0)], &[(10, 1.0), (10, 2.0)], &[(10, 1.0), (30, 0.0)]] {
            assert_eq!(exponent(points), None, "{points:?}");
        }
    }
}
